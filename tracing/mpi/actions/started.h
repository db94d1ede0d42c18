// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "tracing/core/events.h"
#include "tracing/mpi/communicators.h"
#include "tracing/mpi/matched_messages.h"
#include "tracing/mpi/requests.h"
#include "tracing/mpi/traffic.h"
#include "tracing/mpi/views.h"

/// Calls that begin something which a later call completes.
namespace holos::tracing::mpi {

inline bool isPeer(int rank) noexcept {
    return rank >= 0 || rank == MPI_ANY_SOURCE;
}

Request sendRequest(MPI_Comm comm, int dest, int tag, int count, MPI_Datatype type) noexcept;
Request receiveRequest(MPI_Comm comm) noexcept;
/// Records the begin of a send or receive, under a new request.
void recordStart(Request& request) noexcept;

template <class AnyRequests>
class Isend {
  public:
    Isend(MPI_Comm comm, int dest, int tag, int count, MPI_Datatype type, AnyRequests& request) noexcept
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
    PersistentSend(MPI_Comm comm, int dest, int tag, int count, MPI_Datatype type,
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
        if (result == MPI_SUCCESS) dropRequest(handle_);
    }

  private:
    MPI_Request handle_;
};

}  // namespace holos::tracing::mpi
