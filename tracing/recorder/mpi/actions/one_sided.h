// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "tracing/recorder/core/events.h"
#include "tracing/recorder/mpi/state/requests.h"
#include "tracing/recorder/mpi/state/traffic.h"
#include "tracing/recorder/mpi/state/views.h"
#include "tracing/recorder/mpi/state/windows.h"
#include "tracing/recordings/format/waiting_notes.h"

/// One-sided communication. An operation (put, get, atomic) is recorded when it is called, with a number; the
/// call that completes it (fence, flush, unlock, complete, wait of its request) records that it did, by that
/// number.
namespace holos::tracing::mpi {

/// A call of all members of a window, which none of them leaves before all have entered it.
inline void awaitsMembers(CommRef members, std::uint32_t operation) noexcept {
    if (members != 0) awaits({kNoRoot, members, 0, awaitedCode(AwaitedKind::Collective, operation)});
}
inline void awaitsMembers(CommRef members, Collective operation) noexcept {
    awaitsMembers(members, static_cast<std::uint32_t>(operation));
}
/// A call that may wait until MPI grants a lock, or until what was done under it is complete.
inline void awaitsLock(WinRef window, int target, bool isReleased) noexcept {
    if (window == 0) return;
    awaits({static_cast<std::uint32_t>(target), window, 0,
            awaitedCode(AwaitedKind::WindowLock, isReleased ? 1 : 0)});
}

/// A window made by all members of a communicator, with memory of the program or allocated by MPI.
template <class AnyWins>
class NewWin {
  public:
    NewWin(MPI_Comm comm, AnyWins& made, bool isAllocated) noexcept
        : comm_(comm), made_(made), isAllocated_(isAllocated) {
        if (refInWorld(comm) == 0) return;
        rmaCollectiveBegin();
        awaitsMembers(refInWorld(comm), operation());
    }
    void finish(int result) const noexcept {
        if (refInWorld(comm_) == 0 || result != MPI_SUCCESS) return;
        const WinRef win = agreeOnWin(made_[0], comm_, isAllocated_);
        rmaWinCreate(win);
        rmaCollectiveEnd(operation(), RmaSyncLevel::Process, win);
    }

  private:
    Collective operation() const noexcept {
        return isAllocated_ ? Collective::CreateHandleAndAllocate : Collective::CreateHandle;
    }

    MPI_Comm comm_;
    AnyWins& made_;
    bool isAllocated_;
};

template <class AnyWins>
class FreeWin {
  public:
    explicit FreeWin(AnyWins& win) noexcept : win_(win[0]), ref_(windowOf(win_)) {
        if (ref_ == 0) return;
        rmaCollectiveBegin();
        awaitsMembers(membersOf(win_), Collective::DestroyHandle);
    }
    void finish(int result) const noexcept {
        if (ref_ == 0 || result != MPI_SUCCESS) return;
        const bool wasAllocated = isAllocated(win_);
        completeOperations(win_, kAllTargets, true);
        forgetWindow(win_);
        rmaWinDestroy(ref_);
        rmaCollectiveEnd(wasAllocated ? Collective::DestroyHandleAndDeallocate : Collective::DestroyHandle,
                         RmaSyncLevel::Process, ref_);
    }

  private:
    MPI_Win win_;
    WinRef ref_;
};

/// Common to operations: their number, and their request where they have one of their own.
class Operation {
  public:
    void finish(int result) const noexcept {
        if (result != MPI_SUCCESS && win_ != 0) forgetOperation(handle_, number_);
    }

  protected:
    Operation(MPI_Win win, int target) noexcept : handle_(win), win_(target >= 0 ? windowOf(win) : 0) {
        if (win_ != 0) number_ = newOperation(win, target);
    }
    MPI_Win handle_;
    WinRef win_;
    std::uint64_t number_ = 0;
};

class Put : public Operation {
  public:
    Put(MPI_Win win, int target, MPI_Count count, MPI_Datatype type) noexcept : Operation(win, target) {
        rmaPut(static_cast<std::uint32_t>(target), win_, traffic::bytesOf(count, type), number_);
    }
};

class Get : public Operation {
  public:
    Get(MPI_Win win, int target, MPI_Count count, MPI_Datatype type) noexcept : Operation(win, target) {
        rmaGet(static_cast<std::uint32_t>(target), win_, traffic::bytesOf(count, type), number_);
    }
};

class Atomic : public Operation {
  public:
    Atomic(MPI_Win win, int target, RmaAtomic type, std::uint64_t sent, std::uint64_t received) noexcept
        : Operation(win, target) {
        rmaAtomic(static_cast<std::uint32_t>(target), win_, type, sent, received, number_);
    }
};

/// An operation that a request completes at its origin.
template <class Kind, class AnyRequests>
class Requested : Kind {
  public:
    Requested(Kind operation, AnyRequests& request) noexcept : Kind(operation), requests_(request) {}
    void finish(int result) const noexcept {
        Kind::finish(result);
        if (this->win_ == 0 || result != MPI_SUCCESS) return;
        Request request;
        request.kind = RequestKind::OneSided;
        request.window = this->win_;
        request.id = this->number_;
        addRequest(requests_[0], request);
    }

  private:
    AnyRequests& requests_;
};

/// With MPI_MODE_NOPRECEDE it need not wait for anybody.
class Fence {
  public:
    Fence(MPI_Win win, int assertions) noexcept : win_(win), ref_(windowOf(win)) {
        if (ref_ == 0) return;
        rmaCollectiveBegin();
        if ((assertions & MPI_MODE_NOPRECEDE) == 0) awaitsMembers(membersOf(win), kFence);
    }
    void finish(int result) const noexcept {
        if (result != MPI_SUCCESS) return;
        completeOperations(win_, kAllTargets, true);
        rmaCollectiveEnd(Collective::Barrier, RmaSyncLevel::ProcessAndMemory, ref_);
    }

  private:
    MPI_Win win_;
    WinRef ref_;
};

/// Access may wait until its targets have begun to expose the window; the end of exposure waits for the end
/// of all accesses.
inline void awaitsEpochs(MPI_Win win, Epoch epoch) noexcept {
    const WinRef window = windowOf(win);
    const GroupRef group = groupOf(win, epoch);
    if (window == 0 || group == 0) return;
    awaits({group, window, 0, awaitedCode(AwaitedKind::WindowEpoch, epoch == Epoch::Access ? 0 : 1)});
}

class BeginEpoch {
  public:
    BeginEpoch(MPI_Win win, Epoch epoch, MPI_Group group) noexcept {
        beginEpoch(win, epoch, group);
        if (epoch == Epoch::Access) awaitsEpochs(win, epoch);
    }
    void finish(int) const noexcept {}
};

class EndEpoch {
  public:
    EndEpoch(MPI_Win win, Epoch epoch, bool mayWait = true) noexcept : win_(win), epoch_(epoch) {
        if (mayWait) awaitsEpochs(win, epoch);
    }
    void finish(int result) const noexcept {
        if (result != MPI_SUCCESS) return;
        if (epoch_ == Epoch::Access) completeOperations(win_, kAllTargets, true);
        const GroupRef group = endEpoch(win_, epoch_);
        if (group != 0) rmaGroupSync(RmaSyncLevel::ProcessAndMemory, windowOf(win_), group);
    }

  private:
    MPI_Win win_;
    Epoch epoch_;
};

class TestEpoch {
  public:
    TestEpoch(MPI_Win win, const int* flag) noexcept : end_(win, Epoch::Exposure, false), flag_(flag) {}
    void finish(int result) const noexcept {
        if (*flag_ != 0) end_.finish(result);
    }

  private:
    EndEpoch end_;
    const int* flag_;
};

/// MPI may grant a lock later than its call returns, so the request alone is known.
class LockWin {
  public:
    LockWin(MPI_Win win, int target, bool isExclusive) noexcept {
        const WinRef window = windowOf(win);
        rmaRequestLock(static_cast<std::uint32_t>(target), window, isExclusive);
        awaitsLock(window, target, false);
    }
    void finish(int) const noexcept {}
};

class UnlockWin {
  public:
    UnlockWin(MPI_Win win, int target) noexcept : win_(win), target_(target) {
        awaitsLock(windowOf(win), target, true);
    }
    void finish(int result) const noexcept {
        if (result != MPI_SUCCESS) return;
        completeOperations(win_, target_, true);
        rmaReleaseLock(static_cast<std::uint32_t>(target_), windowOf(win_));
    }

  private:
    MPI_Win win_;
    int target_;
};

/// Of calls that follow each other, in a loop that waits for what another process stores, the first one only
/// is recorded as such.
class SyncMemory {
  public:
    explicit SyncMemory(MPI_Win win) noexcept : win_(win) {}
    static bool foundNothing() noexcept { return true; }
    void finish(int) const noexcept {
        MPI_Group group = MPI_GROUP_NULL;
        int rank = 0;
        if (PMPI_Win_get_group(win_, &group) != MPI_SUCCESS) return;
        PMPI_Group_rank(group, &rank);
        PMPI_Group_free(&group);
        rmaSyncMemory(static_cast<std::uint32_t>(rank), windowOf(win_));
    }

  private:
    MPI_Win win_;
};

class Flush {
  public:
    Flush(MPI_Win win, int target, bool remotely) noexcept : win_(win), target_(target), remotely_(remotely) {
        awaitsLock(windowOf(win), target, true);
    }
    /// There is nothing to complete: it may be called in a loop for the sake of others.
    bool foundNothing() const noexcept { return !hasOperations(win_, target_); }
    void finish(int result) const noexcept {
        if (result == MPI_SUCCESS) completeOperations(win_, target_, remotely_);
    }

  private:
    MPI_Win win_;
    int target_;
    bool remotely_;
};

}  // namespace holos::tracing::mpi
