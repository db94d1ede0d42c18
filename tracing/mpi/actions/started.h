// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "tracing/core/events.h"
#include "tracing/mpi/communicators.h"
#include "tracing/mpi/matched_messages.h"
#include "tracing/mpi/neighbours.h"
#include "tracing/mpi/requests.h"
#include "tracing/mpi/traffic.h"
#include "tracing/mpi/views.h"

/// Calls that begin something which a later call completes.
namespace holos::tracing::mpi {

inline bool isPeer(int rank) noexcept {
    return rank >= 0 || rank == MPI_ANY_SOURCE;
}

Request sendRequest(MPI_Comm comm, int dest, int tag, MPI_Count count, MPI_Datatype type) noexcept;
Request receiveRequest(MPI_Comm comm) noexcept;
Request exchangeRequest(Collective operation, MPI_Comm comm, std::uint32_t root,
                        traffic::Bytes bytes) noexcept;
/// Records the begin of a send, a receive or a collective operation, under a new request.
void recordStart(Request& request) noexcept;

template <class AnyRequests>
class Isend {
  public:
    Isend(MPI_Comm comm, int dest, int tag, MPI_Count count, MPI_Datatype type, AnyRequests& request) noexcept
        : isMessage_(dest >= 0), handle_(request) {
        if (!isMessage_) return;
        request_ = sendRequest(comm, dest, tag, count, type);
        recordStart(request_);
    }
    void finish(int result) const noexcept {
        if (isMessage_ && result == MPI_SUCCESS) addRequest(handle_[0], request_);
    }

  private:
    bool isMessage_;
    AnyRequests& handle_;
    Request request_;
};

template <class AnyRequests>
class Irecv {
  public:
    Irecv(MPI_Comm comm, int source, AnyRequests& request) noexcept
        : isMessage_(isPeer(source)), handle_(request) {
        if (!isMessage_) return;
        request_ = receiveRequest(comm);
        recordStart(request_);
    }
    void finish(int result) const noexcept {
        if (isMessage_ && result == MPI_SUCCESS) addRequest(handle_[0], request_);
    }

  private:
    bool isMessage_;
    AnyRequests& handle_;
    Request request_;
};

/// A send and a receive under one handle (MPI 4). What was received is taken from the call's arguments: the
/// status of such a request is not what it should be everywhere (MPICH 4.0).
template <class AnyRequests>
class Isendrecv {
  public:
    Isendrecv(MPI_Comm comm, int dest, int tag, MPI_Count count, MPI_Datatype type, int source, int sourceTag,
              std::uint64_t received, AnyRequests& request) noexcept
        : handle_(request) {
        if (dest >= 0) {
            request_ = sendRequest(comm, dest, tag, count, type);
            recordStart(request_);
        }
        if (source < 0 || sourceTag < 0) return;  // nothing, or not known
        const RequestId sendId = request_.id;
        request_ = receiveRequest(comm);
        recordStart(request_);
        request_.kind = RequestKind::SendReceive;
        request_.sendId = sendId;
        request_.peer = static_cast<std::uint32_t>(source);
        request_.tag = static_cast<std::uint32_t>(sourceTag);
        request_.bytes = received;
    }
    void finish(int result) const noexcept {
        if (request_.id != 0 && result == MPI_SUCCESS) addRequest(handle_[0], request_);
    }

  private:
    AnyRequests& handle_;
    Request request_;
};

/// A collective operation that a later call completes.
template <class AnyRequests>
class NonblockingExchange {
  public:
    NonblockingExchange(Collective operation, MPI_Comm comm, auto root, traffic::Bytes bytes,
                        AnyRequests& request) noexcept
        : handle_(request), request_(exchangeRequest(operation, comm, rootOf(root), bytes)) {
        recordStart(request_);
    }
    void finish(int result) const noexcept {
        if (request_.id != 0 && result == MPI_SUCCESS) addRequest(handle_[0], request_);
    }

  private:
    AnyRequests& handle_;
    Request request_;
};

template <class AnyMessages, class AnyRequests>
class Imrecv {
  public:
    Imrecv(AnyMessages& message, AnyRequests& request) noexcept
        : comm_(takeMatched(message[0])), handle_(request) {
        if (comm_ == MPI_COMM_NULL || !recording()) return;
        request_ = receiveRequest(comm_);
        recordStart(request_);
    }
    void finish(int result) const noexcept {
        if (request_.id != 0 && result == MPI_SUCCESS) addRequest(handle_[0], request_);
    }

  private:
    MPI_Comm comm_;
    AnyRequests& handle_;
    Request request_;
};

/// A persistent request: remembered, and recorded each time it is started.
template <class AnyRequests>
class Persistent {
  public:
    void finish(int result) noexcept {
        if (!isMessage_ || result != MPI_SUCCESS) return;
        request_.persistent = true;
        request_.active = false;
        addRequest(handle_[0], request_);
    }

  protected:
    Persistent(bool isMessage, AnyRequests& request) noexcept : isMessage_(isMessage), handle_(request) {}
    bool isMessage_;
    AnyRequests& handle_;
    Request request_;
};

template <class AnyRequests>
class PersistentSend : public Persistent<AnyRequests> {
  public:
    PersistentSend(MPI_Comm comm, int dest, int tag, MPI_Count count, MPI_Datatype type,
                   AnyRequests& request) noexcept
        : Persistent<AnyRequests>(dest >= 0, request) {
        if (dest >= 0) this->request_ = sendRequest(comm, dest, tag, count, type);
    }
};

template <class AnyRequests>
class PersistentRecv : public Persistent<AnyRequests> {
  public:
    PersistentRecv(MPI_Comm comm, int source, AnyRequests& request) noexcept
        : Persistent<AnyRequests>(isPeer(source), request) {
        this->request_ = receiveRequest(comm);
    }
};

template <class AnyRequests>
class PersistentExchange : public Persistent<AnyRequests> {
  public:
    PersistentExchange(Collective operation, MPI_Comm comm, auto root, traffic::Bytes bytes,
                       AnyRequests& request) noexcept
        : Persistent<AnyRequests>(true, request) {
        this->request_ = exchangeRequest(operation, comm, rootOf(root), bytes);
    }
};

template <class AnyRequests>
class Start {
  public:
    Start(int count, AnyRequests& requests) noexcept {
        if (!recording()) return;
        for (int i = 0; i < count; ++i)
            changeRequest(requests[i], [](Request& request) {
                if (!request.persistent) return;
                request.active = true;
                recordStart(request);
            });
    }
    void finish(int) const noexcept {}
};

template <class AnyRequests>
class Cancel {
  public:
    explicit Cancel(AnyRequests& request) noexcept {
        changeRequest(request[0], [](Request& known) { known.cancelled = true; });
    }
    void finish(int) const noexcept {}
};

template <class AnyRequests>
class RequestFree {
  public:
    explicit RequestFree(AnyRequests& request) noexcept : handle_(request[0]) {}
    void finish(int result) const noexcept {
        Request dropped;
        if (result == MPI_SUCCESS && dropRequest(handle_, dropped) && dropped.kind == RequestKind::Neighbours)
            forgetNeighbours(dropped.peer);
    }

  private:
    MPI_Request handle_;
};

}  // namespace holos::tracing::mpi
