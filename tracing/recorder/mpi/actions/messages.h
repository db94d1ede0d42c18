// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "tracing/recorder/core/events.h"
#include "tracing/recorder/mpi/state/communicators.h"
#include "tracing/recorder/mpi/state/neighbours.h"
#include "tracing/recorder/mpi/state/requests.h"
#include "tracing/recorder/mpi/state/traffic.h"
#include "tracing/recorder/mpi/state/views.h"
#include "tracing/recordings/format/waiting_notes.h"

namespace holos::tracing::mpi {

/// Messages that a matching probe found and nobody received yet.
///
/// Thread safety: safe.
void keepMatched(MPI_Message message, MPI_Comm comm) noexcept;
/// The communicator of a message, which is forgotten; MPI_COMM_NULL when it is not known.
MPI_Comm takeMatched(MPI_Message message) noexcept;

/// Blocking point-to-point calls. Messages to or from MPI_PROC_NULL are none.

/// Bytes of the message that a completed receive got.
std::uint64_t bytesOf(const MPI_Status& status) noexcept;

/// As what is waited for.
inline Awaited messageFrom(CommRef comm, int source, int tag) noexcept {
    const auto known = [](int number, int any) {
        return number == any ? kAnyone : static_cast<std::uint32_t>(number);
    };
    return {known(source, MPI_ANY_SOURCE), comm, known(tag, MPI_ANY_TAG), awaitedCode(AwaitedKind::Receive)};
}

inline bool isMessage(const MPI_Status& status) noexcept {
    return status.MPI_SOURCE >= 0;
}

/// A message from there is about to be waited for.
inline void awaitMessage(CommRef comm, int source, int tag) noexcept {
    if (source != MPI_PROC_NULL) awaits(messageFrom(comm, source, tag));
}

class Send {
  public:
    Send(MPI_Comm comm, int dest, int tag, MPI_Count count, MPI_Datatype type) noexcept {
        if (dest < 0) return;
        mpiSend(static_cast<std::uint32_t>(dest), refOf(comm), static_cast<std::uint32_t>(tag),
                static_cast<std::uint64_t>(count) * traffic::sizeOf(type));
    }
    void finish(int) const noexcept {}
};

template <class AnyStatuses>
class Recv {
  public:
    Recv(MPI_Comm comm, int source, int tag, AnyStatuses& status) noexcept
        : comm_(refOf(comm)), status_(status) {
        awaitMessage(comm_, source, tag);
    }
    void finish(int result) const noexcept {
        if (result != MPI_SUCCESS || !status_.known()) return;
        const MPI_Status& status = status_[0];
        if (!isMessage(status)) return;
        mpiRecv(static_cast<std::uint32_t>(status.MPI_SOURCE), comm_,
                static_cast<std::uint32_t>(status.MPI_TAG), bytesOf(status));
    }

  private:
    CommRef comm_;
    AnyStatuses& status_;
};

template <class AnyStatuses>
class Sendrecv {
  public:
    Sendrecv(MPI_Comm comm, int dest, int tag, MPI_Count count, MPI_Datatype type, int source, int sourceTag,
             AnyStatuses& status) noexcept
        : send_(comm, dest, tag, count, type), receive_(comm, source, sourceTag, status) {}
    void finish(int result) const noexcept { receive_.finish(result); }

  private:
    Send send_;
    Recv<AnyStatuses> receive_;
};

/// A probe that waits.
class Probe {
  public:
    Probe(MPI_Comm comm, int source, int tag) noexcept { awaitMessage(refOf(comm), source, tag); }
    void finish(int) const noexcept {}
};

/// A probe that takes the message out of the queue: the message's communicator is needed when it is received.
template <class AnyMessages>
class Mprobe {
  public:
    Mprobe(MPI_Comm comm, int source, int tag, AnyMessages& message) noexcept
        : comm_(comm), message_(message) {
        awaitMessage(refOf(comm), source, tag);
    }
    void finish(int result) const noexcept {
        if (result == MPI_SUCCESS) keepMatched(message_[0], comm_);
    }

  private:
    MPI_Comm comm_;
    AnyMessages& message_;
};

/// In vain: who polls waits for a message.
class Iprobe {
  public:
    Iprobe(MPI_Comm comm, int source, int tag, const int* flag) noexcept
        : comm_(comm), source_(source), tag_(tag), flag_(flag) {}
    void finish(int result) const noexcept {
        if (*flag_ == 0 && result == MPI_SUCCESS) awaitMessage(refOf(comm_), source_, tag_);
    }

  private:
    MPI_Comm comm_;
    int source_;
    int tag_;
    const int* flag_;
};

template <class AnyMessages>
class Improbe {
  public:
    Improbe(MPI_Comm comm, int source, int tag, const int* flag, AnyMessages& message) noexcept
        : comm_(comm), message_(message), flag_(flag), look_(comm, source, tag, flag) {}
    void finish(int result) const noexcept {
        if (*flag_ != 0 && result == MPI_SUCCESS) keepMatched(message_[0], comm_);
        look_.finish(result);
    }

  private:
    MPI_Comm comm_;
    AnyMessages& message_;
    const int* flag_;
    Iprobe look_;
};

template <class AnyMessages, class AnyStatuses>
class Mrecv {
  public:
    Mrecv(AnyMessages& message, AnyStatuses& status) noexcept
        : receive_(takeMatched(message[0]), MPI_ANY_SOURCE, MPI_ANY_TAG, status) {}
    void finish(int result) const noexcept { receive_.finish(result); }

  private:
    Recv<AnyStatuses> receive_;
};

/// Calls that begin something which a later call completes.
inline bool isPeer(int rank) noexcept {
    return rank >= 0 || rank == MPI_ANY_SOURCE;
}

Request sendRequest(MPI_Comm comm, int dest, int tag, MPI_Count count, MPI_Datatype type) noexcept;
Request receiveRequest(MPI_Comm comm, int source = MPI_ANY_SOURCE, int tag = MPI_ANY_TAG) noexcept;
Request exchangeRequest(Collective operation, MPI_Comm comm, std::uint32_t root,
                        traffic::Bytes bytes) noexcept;
/// Records the start of a send, a receive or a collective operation, under a new request.
void recordStart(Request& request) noexcept;

/// A request that begins with the call: recorded before it, and remembered under the handle that the call
/// makes.
template <class AnyRequests>
class Started {
  public:
    void finish(int result) const noexcept {
        if (isStarted_ && result == MPI_SUCCESS) addRequest(handle_[0], request_);
    }

  protected:
    explicit Started(AnyRequests& handle) noexcept : handle_(handle) {}
    void start(const Request& request) noexcept {
        request_ = request;
        recordStart(request_);
        isStarted_ = true;
    }
    AnyRequests& handle_;
    Request request_;

  private:
    bool isStarted_ = false;
};

template <class AnyRequests>
class Isend : public Started<AnyRequests> {
  public:
    Isend(MPI_Comm comm, int dest, int tag, MPI_Count count, MPI_Datatype type, AnyRequests& request) noexcept
        : Started<AnyRequests>(request) {
        if (dest >= 0) this->start(sendRequest(comm, dest, tag, count, type));
    }
};

template <class AnyRequests>
class Irecv : public Started<AnyRequests> {
  public:
    Irecv(MPI_Comm comm, int source, int tag, AnyRequests& request) noexcept : Started<AnyRequests>(request) {
        if (isPeer(source)) this->start(receiveRequest(comm, source, tag));
    }
};

/// A send and a receive under one handle (MPI 4). What was received is taken from the call's arguments: the
/// status of such a request is not what it should be everywhere (MPICH 4.0).
template <class AnyRequests>
class Isendrecv : public Started<AnyRequests> {
  public:
    Isendrecv(MPI_Comm comm, int dest, int tag, MPI_Count count, MPI_Datatype type, int source, int sourceTag,
              std::uint64_t received, AnyRequests& request) noexcept
        : Started<AnyRequests>(request) {
        if (dest >= 0) this->start(sendRequest(comm, dest, tag, count, type));
        if (source < 0 || sourceTag < 0) return;  // nothing, or not known
        const RequestId sendId = this->request_.id;
        this->start(receiveRequest(comm));
        this->request_.kind = RequestKind::SendReceive;
        this->request_.sendId = sendId;
        this->request_.peer = static_cast<std::uint32_t>(source);
        this->request_.tag = static_cast<std::uint32_t>(sourceTag);
        this->request_.bytes = received;
    }
};

/// A collective operation that a later call completes.
template <class AnyRequests>
class NonblockingExchange : public Started<AnyRequests> {
  public:
    NonblockingExchange(Collective operation, MPI_Comm comm, auto root, traffic::Bytes bytes,
                        AnyRequests& request) noexcept
        : Started<AnyRequests>(request) {
        this->start(exchangeRequest(operation, comm, rootOf(root), bytes));
    }
};

template <class AnyMessages, class AnyRequests>
class Imrecv : public Started<AnyRequests> {
  public:
    Imrecv(AnyMessages& message, AnyRequests& request) noexcept : Started<AnyRequests>(request) {
        const MPI_Comm comm = takeMatched(message[0]);
        if (comm != MPI_COMM_NULL && recording()) this->start(receiveRequest(comm));
    }
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
    PersistentRecv(MPI_Comm comm, int source, int tag, AnyRequests& request) noexcept
        : Persistent<AnyRequests>(isPeer(source), request) {
        this->request_ = receiveRequest(comm, source, tag);
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
    Start(int count, AnyRequests& requests) noexcept : count_(count), requests_(requests) {
        if (!recording()) return;
        for (int i = 0; i < count; ++i)
            changeRequest(requests[i], [](Request& request) {
                if (!request.persistent) return;
                request.active = true;
                recordStart(request);
            });
    }
    void finish(int result) const noexcept {
        if (result == MPI_SUCCESS) return;
        for (int i = 0; i < count_; ++i)
            changeRequest(requests_[i], [](Request& request) { request.active = !request.persistent; });
    }

  private:
    int count_;
    AnyRequests& requests_;
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
    explicit RequestFree(AnyRequests& request) noexcept
        : handle_(request[0]), claim_(claimRequest(handle_)) {}
    void finish(int result) const noexcept {
        Request dropped;
        if (result != MPI_SUCCESS) return releaseRequest(handle_, claim_);
        if (dropRequest(handle_, claim_, dropped) && dropped.kind == RequestKind::Neighbours)
            forgetNeighbours(dropped.peer);
    }

  private:
    MPI_Request handle_;
    Claim claim_;
};

/// Messages in partitions (MPI 4): persistent requests. The message is recorded as a whole, its send where
/// the last partition is ready: until then a receiver may have to wait. Sender and receiver may cut it
/// differently.
template <class AnyRequests>
class PartitionedSend : public Persistent<AnyRequests> {
  public:
    PartitionedSend(MPI_Comm comm, int dest, int tag, int partitions, MPI_Count count, MPI_Datatype type,
                    AnyRequests& request) noexcept
        : Persistent<AnyRequests>(dest >= 0 && partitions > 0, request) {
        if (!this->isMessage_) return;
        this->request_ = sendRequest(comm, dest, tag, partitions * count, type);
        this->request_.kind = RequestKind::PartitionedSend;
        this->request_.partitions = static_cast<std::uint32_t>(partitions);
    }
};

template <class AnyRequests>
class PartitionedRecv : public Persistent<AnyRequests> {
  public:
    PartitionedRecv(MPI_Comm comm, int source, int tag, int partitions, MPI_Count count, MPI_Datatype type,
                    AnyRequests& request) noexcept
        : Persistent<AnyRequests>(source >= 0 && partitions > 0, request) {
        if (!this->isMessage_) return;
        this->request_ = sendRequest(comm, source, tag, partitions * count, type);
        this->request_.kind = RequestKind::PartitionedReceive;
    }
};

/// Counts the partitions of a send that are ready.
class Ready {
  public:
    Ready(MPI_Request request, int partitions) noexcept;
    void finish(int) const noexcept {}
};

}  // namespace holos::tracing::mpi
