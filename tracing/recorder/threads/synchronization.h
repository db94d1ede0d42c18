// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <threads.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

#include "tracing/code/loaded/runtimes.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/filtering.h"
#include "tracing/recorder/interpose/next_function.h"

/// Functions by which threads wait for each other: when they are recorded, and what each of them has.
namespace holos::tracing::threads {

/// From here on mutexes, condition variables and the like are recorded: called before the program starts a
/// thread. Before that nobody waits at them, and the program may be one that never does.
void prepareSynchronization() noexcept;
/// As `prepareSynchronization`, at the first use of a mutex from here on: called before a runtime system of
/// OpenMP starts a thread. Most of its programs never use one.
void expectSynchronization() noexcept;
/// Only read-write locks, barriers and semaphores, which are recorded from the first call on that waits, too.
void prepareWaitPlaces() noexcept;

/// A function of the C library, or of one in front of it, and its region.
template <class Type>
class Function;

template <class... Parameters>
class Function<int(Parameters...)> {
  public:
    explicit constexpr Function(const char* name) noexcept : next_(name) {}

    int call(const void* caller, Parameters... parameters) { return next_.behind(caller)(parameters...); }

    void defineRegion() noexcept {
        isLeftOut_ = core::isCallFilteredOut(next_.name());
        region_.store(tracing::defineRegion({next_.name(), "pthread", 0, 0, Paradigm::Pthread, Role::Lock}),
                      std::memory_order_relaxed);
    }
    /// Of what is not the C library's own nobody knows what it does to which memory.
    void leaveOutAnothers() noexcept {
        isLeftOut_ = isLeftOut_ || !code::isSystem(reinterpret_cast<const void*>(next_.get()));
    }
    /// By the filter, or because it is another one.
    bool isLeftOut() const noexcept { return isLeftOut_; }
    /// 0 until the program has threads.
    RegionRef region() const noexcept { return region_.load(std::memory_order_relaxed); }

  private:
    interpose::Next<int(Parameters...)> next_;
    std::atomic<RegionRef> region_{0};
    bool isLeftOut_ = false;  ///< known before regions are used
};

/// One thread defines the regions; others that come meanwhile record nothing yet.
class Preparation {
  public:
    bool isDone() const noexcept { return state_.load(std::memory_order_acquire) == State::Done; }

    template <class Define>
    void doOnce(Define define) noexcept {
        State open = State::Open;
        if (isDone() || !state_.compare_exchange_strong(open, State::Begun)) return;
        define();
        state_.store(State::Done, std::memory_order_release);
    }

  private:
    enum class State : std::uint8_t { Open, Begun, Done };
    std::atomic<State> state_{State::Open};
};

/// The region of a call, from its begin to its end.
class Inside {
  public:
    explicit Inside(RegionRef region) noexcept : region_(region) { enter(region_); }
    ~Inside() { leave(region_); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

  private:
    RegionRef region_;
};

/// As POSIX and as C11 say it; neither is anything else that functions with a timeout return.
inline bool isTimeout(int error) noexcept {
    return error == ETIMEDOUT || error == thrd_timedout;
}

}  // namespace holos::tracing::threads
