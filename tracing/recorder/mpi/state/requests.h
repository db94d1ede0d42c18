// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>

#include "tracing/recorder/core/events.h"

/// The requests of this process that are under way, by handle. No allocation once grown. Thread safety: safe.
///
/// One handle may stand for several requests: Open MPI hands out the same one for every send that was done at
/// once, and a library hands out the handle of a request that another thread's MPI_Wait has just freed before
/// that call was recorded. So a call claims its requests before MPI has them. Among several with one handle,
/// a thread takes those that it started itself, then others, each in the order in which they were started.
namespace holos::tracing::mpi {

enum class RequestKind : std::uint8_t {
    Send,
    Receive,
    SendReceive,
    PartitionedSend,
    PartitionedReceive,
    Exchange,
    Neighbours,
    OneSided,
    Duplicate,
    File
};

struct Request {
    RequestKind kind = RequestKind::Send;
    bool persistent = false;
    bool active = true;
    bool cancelled = false;  ///< MPI_Cancel was called, the outcome is open
    RequestId id = 0;        ///< 0: nothing of it is in the trace
    CommRef comm = 0;
    /// Sends: receiver; receives: sender, or `kAnyone`; collective operations: root; operations of
    /// neighbours: number of their messages.
    std::uint32_t peer = 0;
    std::uint32_t tag = 0;
    std::uint64_t bytes = 0;     ///< to be sent
    std::uint64_t received = 0;  ///< collective operations: bytes to be received
    bool comesFromAll = false;   ///< `traffic::Bytes`
    Collective operation = Collective::Barrier;
    WinRef window = 0;             ///< of a one-sided operation, whose number is `id`
    HandleRef file = 0;            ///< of a transfer, whose number is `id`
    std::uint32_t partitions = 0;  ///< of a send; those of them that are ready
    std::uint32_t ready = 0;
    RequestId sendId = 0;       ///< of the send that completes together with a receive
    CommRef made = 0;           ///< by MPI_Comm_idup
    void* duplicate = nullptr;  ///< where MPI_Comm_idup writes the communicator's handle
    bool duplicateIsFortran = false;
};

void addRequest(MPI_Request handle, const Request& request) noexcept;

/// Names one of the requests of this process, whatever becomes of its handle.
using Claim = std::uint64_t;

/// This thread's oldest request with that handle, or the oldest, that no other call has claimed. 0 when there
/// is none, and while only one thread has had requests at all.
Claim claimRequest(MPI_Request handle) noexcept;
/// Gives it up without completing it.
void releaseRequest(MPI_Request handle, Claim claim) noexcept;

/// Ends the claimed request, or the one that would be claimed now, if it is active: removes it, or makes it
/// inactive when it is persistent. False when there is none.
bool completeRequest(MPI_Request handle, Claim claim, Request& completed) noexcept;

/// Calls `change(Request&)` for this thread's oldest request with that handle, or the oldest, if there is
/// one.
template <class Change>
void changeRequest(MPI_Request handle, Change change) noexcept {
    changeRequest(
        handle, [](Request& request, void* context) { (*static_cast<Change*>(context))(request); }, &change);
}
void changeRequest(MPI_Request handle, void (*change)(Request&, void*), void* context) noexcept;

/// Removes such a request without completing it (MPI_Request_free). False when there is none.
bool dropRequest(MPI_Request handle, Claim claim, Request& dropped) noexcept;

}  // namespace holos::tracing::mpi
