// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <atomic>
#include <span>

#include "mpi_index.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/open_call.h"
#include "tracing/recorder/core/polls.h"
#include "tracing/recorder/mpi/adapter_interface.h"
#include "tracing/recordings/format/settings.h"

/// What every generated wrapper needs: the guard around a call, and the wrappers that record a region only.
namespace holos::tracing::mpi {

using Function = HolosMpiFunction;
enum class Binding { C = kHolosMpiC, Mpif = kHolosMpiMpif, F08 = kHolosMpiF08 };

/// What is recorded of a function's calls: their region alone; also what is found by those that find
/// something; or more, such as a message.
enum class Extent : std::uint8_t { Region, Found, More };

struct Wrapper {
    int function;
    Role role;
    int groups;  ///< those whose choice has it recorded
    Extent extent;
    Function* own;  ///< MPI's, for C
    Function* targets[kHolosMpiBindings];
};

/// Calls `visit` for the wrappers of all functions that this MPI has.
void forEachWrapper(void (*visit)(const Wrapper&));

/// What a wrapper calls, found when the adapter was loaded: MPI's own function, or that of a tool in front of
/// MPI.
extern Function* originals[kHolosMpiBindings][kHolosMpiFunctions];

template <auto kOwn>
auto originalC(int function) {
    return reinterpret_cast<decltype(kOwn)>(originals[kHolosMpiC][function]);
}

template <Binding kBinding, class... Arguments>
auto originalFortran(int function) {
    return reinterpret_cast<void (*)(Arguments...)>(originals[static_cast<int>(kBinding)][function]);
}

/// Functions whose groups are not chosen, or whose region is all that there is and which the filter excludes:
/// nothing is recorded of their calls, nor in them.
extern bool isLeftOut[kHolosMpiFunctions];
/// Polls that the filter excludes: they are recorded where they have found something.
extern bool isRecordedWhenFound[kHolosMpiFunctions];

/// The regions of functions that were called before, unless nothing of them is recorded; 0 for others.
extern std::atomic<RegionRef> regions[kHolosMpiFunctions];
/// The region of a function, defined at its first call.
RegionRef regionOf(int function) noexcept;

/// The time of an MPI call: its region is entered and left, and calls inside it go straight through.
///
/// What is recorded before MPI's own function has the time at which the region is entered; what is recorded
/// after `returned` the time at which it is left.
class AnyCall {
  public:
    AnyCall(const AnyCall&) = delete;
    AnyCall& operator=(const AnyCall&) = delete;

    bool isRecorded() const noexcept { return opened_ == Opened::Recorded; }
    /// The program's own call, recorded or not.
    bool isOutermost() const noexcept { return opened_ != Opened::PartOfAnother; }
    /// What is recorded from here on did not happen unless the call succeeds.
    void mayFail() noexcept { mayFail_ = isRecorded(); }
    void finished(int result) noexcept { mayFail_ = mayFail_ && result != MPI_SUCCESS; }

  protected:
    explicit AnyCall(const void* frame) noexcept : frame_(frame) {}
    ~AnyCall() = default;

    /// Begins the call; true where it is one of the program's that is to be recorded.
    bool begin(int function) noexcept {
        if (!beginOpenCall(frame_)) return false;
        opened_ = Opened::Unrecorded;
        if (!isLeftOut[function]) return true;
        pauseInOpenCall();
        return false;
    }
    void noteEntered(RegionRef region) noexcept {
        setOpenRegion(region);
        region_ = region;
        opened_ = Opened::Recorded;
    }
    void leaveNow() noexcept {
        if (isRecorded())
            leaveOpenCall(region_, frame_);
        else
            endOpenCall(frame_);
    }
    void leaveMarked() noexcept {
        if (isRecorded())
            leaveOpenCallAtMark(region_, frame_);
        else
            endOpenCall(frame_);
    }

    const void* frame_;
    RegionRef region_ = 0;
    Opened opened_ = Opened::PartOfAnother;
    bool mayFail_ = false;
};

class Call : public AnyCall {
  public:
    /// Inlined, so that the frame is that of MPI's function.
    [[gnu::always_inline]] explicit Call(int function) noexcept : AnyCall(HOLOS_OWN_FRAME()) {
        region_ = regions[function].load(std::memory_order_relaxed);
        if (region_ != 0) [[likely]]
            opened_ = enterOpenCall(region_, frame_);
        else
            beginFirst(function);
    }
    ~Call() {
        if (!isOutermost()) return;
        if (mayFail_) callFailed();  // an exception may have ended it
        if (isMarked_)
            leaveMarked();
        else
            leaveNow();
    }

    /// MPI's own function is done, and more is to be recorded.
    void returned() noexcept {
        if (!isRecorded()) return;
        markTime();
        isMarked_ = true;
    }

  private:
    [[gnu::noinline]] void beginFirst(int function) noexcept {
        if (!begin(function)) return;
        const RegionRef region = regionOf(function);
        if (enterFrom(region, frame_)) noteEntered(region);
    }

    bool isMarked_ = false;
};

/// A call that may find nothing (`tracing/recorder/core/polls.h`).
class PollingCall : public AnyCall {
  public:
    [[gnu::always_inline]] explicit PollingCall(int function) noexcept : AnyCall(HOLOS_OWN_FRAME()) {
        if (begin(function)) enter(function);
    }
    ~PollingCall() {
        if (!isOutermost()) return;
        if (!isEntered_) end_ = End::Added;
        if (mayFail_ && isEntered_) callFailed();
        switch (end_) {
            case End::Now:
                leaveNow();
                break;
            case End::Marked:
                leaveMarked();
                break;
            case End::InVain:
                leaveInVain(poll_);
                [[fallthrough]];
            case End::Added:
                endOpenCall(frame_);
        }
    }

    /// MPI's own function is done, and more is to be recorded.
    void returned() noexcept {
        if (!isRecorded() || end_ == End::InVain) return;
        if (!isEntered_) enterNow();
        markTime();
        end_ = End::Marked;
    }
    /// MPI's own function is done, and found nothing of what it looked for. True where that is all to be
    /// recorded.
    bool foundNothing() noexcept {
        if (!isRecorded()) return false;
        const bool isAdded = !isEntered_ || addPoll(poll_);
        end_ = isAdded ? End::Added : End::InVain;
        if (isAdded)
            mayFail_ = false;
        else
            markTime();
        return isAdded;
    }

  private:
    enum class End : std::uint8_t { Now, Marked, InVain, Added };

    void enter(int function) noexcept {
        const RegionRef region = regionOf(function);
        if (isRecordedWhenFound[function]) [[unlikely]] {
            isEntered_ = false;
            region_ = region;
            if (recording()) opened_ = Opened::Recorded;
            return;
        }
        poll_ = enterPollFrom(region, frame_);
        if (poll_ != 0) noteEntered(region);
    }
    void enterNow() noexcept {
        isEntered_ = enterFrom(region_, frame_);
        setOpenRegion(isEntered_ ? region_ : 0);
    }

    Poll poll_ = 0;
    bool isEntered_ = true;  ///< or what it finds will enter it
    End end_ = End::Now;
};

template <auto kOriginal, int kFunction>
struct Plain;
template <class... Parameters, int (*kOriginal)(Parameters...), int kFunction>
struct Plain<kOriginal, kFunction> {
    static int call(Parameters... parameters) {
        const Call call(kFunction);
        return originalC<kOriginal>(kFunction)(parameters...);
    }
};

template <Binding kBinding, int kFunction, class... Parameters>
void plainFortran(Parameters... parameters) {
    const Call call(kFunction);
    originalFortran<kBinding, Parameters...>(kFunction)(parameters...);
}

}  // namespace holos::tracing::mpi
