// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <array>

#include "tracing/recorder/mpi/state/requests.h"
#include "tracing/recorder/mpi/state/views.h"

/// Calls that complete requests. MPI overwrites the handles, so they are copied before.
///
/// Receives are recorded with the source and tag of their status, sends with their completion; a completion
/// call that left a request open records that it tested it.
namespace holos::tracing::mpi {

/// `status` is null when there was no memory for one.
void recordCompletion(MPI_Request handle, Claim claim, const MPI_Status* status) noexcept;
void recordTest(MPI_Request handle) noexcept;

/// What a request stands for, as what is waited for.
Awaited awaitedBy(MPI_Request handle) noexcept;

/// Whether it is a send that is complete before its completion is called for: nobody waits for it. MPI is
/// asked that of sends alone, and `asked` counts it.
bool isSent(MPI_Request handle, const Awaited& awaited, int& asked) noexcept;

/// The part that all of them share: the handles as they were, and the requests that they stood for.
template <class AnyRequests, class AnyStatuses>
class Completion {
  public:
    Completion(int count, AnyRequests& requests, AnyStatuses& statuses) noexcept
        : count_(count > 0 ? count : 0), handles_(count_), requests_(requests), statuses_(statuses) {
        if (handles_.data() == nullptr) count_ = 0;
        for (int i = 0; i < count_; ++i) {
            const MPI_Request handle = requests[i];
            handles_.data()[i] = {handle, handle != MPI_REQUEST_NULL ? claimRequest(handle) : 0};
        }
    }
    Completion(const Completion&) = delete;
    Completion& operator=(const Completion&) = delete;
    ~Completion() {
        for (int i = 0; i < count_; ++i)
            if (handles_.data()[i].claim != 0)
                releaseRequest(handles_.data()[i].handle, handles_.data()[i].claim);
    }

  protected:
    int count() const noexcept { return count_; }
    void completed(int request, int status) noexcept {
        if (request < 0 || request >= count_) return;
        const auto [handle, claim] = handles_.data()[request];
        handles_.data()[request].claim = 0;
        if (!statuses_.known()) return recordCompletion(handle, claim, nullptr);
        const MPI_Status got = statuses_[status];
        recordCompletion(handle, claim, &got);
    }
    /// By how much the places that a call names are too small: by one in mpi_f08 of MPICH 4.0, which is
    /// certain where the requests behind them were reset instead. Persistent requests are not reset.
    int tooSmallBy(int number, const Indices& places) noexcept {
        return !allReset(number, places, 0) && allReset(number, places, 1) ? 1 : 0;
    }
    /// Of many requests only some are looked at: it is to cost little.
    void await(bool oneIsEnough) noexcept {
        constexpr int kMostSeen = 4;
        std::array<Awaited, kMostSeen> seen;
        std::uint32_t all = 0;
        int asked = 0;
        for (int i = 0; i < count_; ++i) {
            const MPI_Request handle = handles_.data()[i].handle;
            if (handle == MPI_REQUEST_NULL) continue;
            if (all < kMostSeen) {
                seen[all] = awaitedBy(handle);
                const bool mayAsk = count_ > 1 && !oneIsEnough && asked < kMostSeen;
                if (mayAsk && isSent(handle, seen[all], asked)) continue;
            }
            ++all;
        }
        if (all != 0) awaits(seen.data(), seen.size(), all, oneIsEnough);
    }
    /// In vain: who polls waits for them.
    void tested(bool oneIsEnough) noexcept {
        await(oneIsEnough);
        for (int i = 0; i < count_; ++i) recordTest(handles_.data()[i].handle);
    }
    void allCompleted(int result) noexcept {
        if (result != MPI_SUCCESS && result != MPI_ERR_IN_STATUS) return;
        for (int i = 0; i < count_; ++i)
            if (result == MPI_SUCCESS || !statuses_.known() || statuses_[i].MPI_ERROR == MPI_SUCCESS)
                completed(i, i);
    }
    void someCompleted(int result, int number, const Indices& indices) noexcept {
        if (result != MPI_SUCCESS && result != MPI_ERR_IN_STATUS) return;
        if (number == MPI_UNDEFINED) return;
        const int shift = tooSmallBy(number, indices);
        for (int i = 0; i < number; ++i)
            if (result == MPI_SUCCESS || !statuses_.known() || statuses_[i].MPI_ERROR == MPI_SUCCESS)
                completed(indices[i] + shift, i);
    }
    void oneCompleted(const Indices& index) noexcept {
        if (index[0] != MPI_UNDEFINED) completed(index[0] + tooSmallBy(1, index), 0);
    }

  private:
    bool allReset(int number, const Indices& places, int shift) noexcept {
        for (int i = 0; i < number; ++i) {
            const int place = places[i] + shift;
            if (place < 0 || place >= count_ || handles_.data()[place].handle == MPI_REQUEST_NULL ||
                requests_[place] != MPI_REQUEST_NULL)
                return false;
        }
        return true;
    }

    struct Held {
        MPI_Request handle;
        Claim claim;
    };
    int count_;
    Room<Held> handles_;
    AnyRequests& requests_;
    AnyStatuses& statuses_;
};

/// A call that looks whether something is there, and does nothing else.
class Look {
  public:
    explicit Look(const int* /*found*/) noexcept {}
    void finish(int /*result*/) const noexcept {}
};

template <class AnyRequests, class AnyStatuses>
class WaitAll : Completion<AnyRequests, AnyStatuses> {
  public:
    WaitAll(int count, AnyRequests& requests, AnyStatuses& statuses) noexcept
        : Completion<AnyRequests, AnyStatuses>(count, requests, statuses) {
        this->await(false);
    }
    void finish(int result) noexcept { this->allCompleted(result); }
};

template <class AnyRequests, class AnyStatuses>
class WaitAny : Completion<AnyRequests, AnyStatuses> {
  public:
    WaitAny(int count, AnyRequests& requests, const Indices& index, AnyStatuses& status) noexcept
        : Completion<AnyRequests, AnyStatuses>(count, requests, status), index_(index) {
        this->await(true);
    }
    void finish(int result) noexcept {
        if (result == MPI_SUCCESS) this->oneCompleted(index_);
    }

  private:
    const Indices& index_;
};

template <class AnyRequests, class AnyStatuses>
class WaitSome : Completion<AnyRequests, AnyStatuses> {
  public:
    WaitSome(int count, AnyRequests& requests, const int* number, const Indices& indices,
             AnyStatuses& statuses) noexcept
        : Completion<AnyRequests, AnyStatuses>(count, requests, statuses),
          number_(number),
          indices_(indices) {
        this->await(true);
    }
    void finish(int result) noexcept { this->someCompleted(result, *number_, indices_); }

  private:
    const int* number_;
    const Indices& indices_;
};

template <class AnyRequests, class AnyStatuses>
class TestAll : Completion<AnyRequests, AnyStatuses> {
  public:
    TestAll(int count, AnyRequests& requests, const int* flag, AnyStatuses& statuses) noexcept
        : Completion<AnyRequests, AnyStatuses>(count, requests, statuses), flag_(flag) {}
    void finish(int result) noexcept {
        if (*flag_ != 0)
            this->allCompleted(result);
        else
            this->tested(false);
    }

  private:
    const int* flag_;
};

template <class AnyRequests, class AnyStatuses>
class TestAny : Completion<AnyRequests, AnyStatuses> {
  public:
    TestAny(int count, AnyRequests& requests, const Indices& index, const int* flag,
            AnyStatuses& status) noexcept
        : Completion<AnyRequests, AnyStatuses>(count, requests, status), index_(index), flag_(flag) {}
    void finish(int result) noexcept {
        if (result != MPI_SUCCESS) return;
        if (*flag_ == 0)
            this->tested(true);
        else
            this->oneCompleted(index_);
    }

  private:
    const Indices& index_;
    const int* flag_;
};

template <class AnyRequests, class AnyStatuses>
class TestSome : Completion<AnyRequests, AnyStatuses> {
  public:
    TestSome(int count, AnyRequests& requests, const int* number, const Indices& indices,
             AnyStatuses& statuses) noexcept
        : Completion<AnyRequests, AnyStatuses>(count, requests, statuses),
          number_(number),
          indices_(indices) {}
    void finish(int result) noexcept {
        if (*number_ == 0)
            this->tested(true);
        else
            this->someCompleted(result, *number_, indices_);
    }

  private:
    const int* number_;
    const Indices& indices_;
};

}  // namespace holos::tracing::mpi
