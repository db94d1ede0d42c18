// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "tracing/recorder/core/events.h"
#include "tracing/recorder/mpi/state/communicators.h"
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

}  // namespace holos::tracing::mpi
