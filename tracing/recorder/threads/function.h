// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

#include "tracing/code/loaded/runtimes.h"
#include "tracing/recorder/core/callers.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/filtering.h"
#include "tracing/recorder/core/open_call.h"
#include "tracing/recorder/interpose/next_function.h"
#include "tracing/recorder/threads/synchronization.h"

namespace holos::tracing::threads {

/// A function of the C library, or of one in front of it, and its region.
template <class Type>
class Function;

template <class... Parameters>
class Function<int(Parameters...)> {
  public:
    explicit constexpr Function(const char* name, const char* version = nullptr) : next_(name, version) {}

    int operator()(const void* caller, Parameters... parameters) {
        return next_.behind(caller)(parameters...);
    }

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

/// Mutexes and conditions are recorded from the first thread of the program on: interpreters use them for
/// themselves. Semaphores, barriers and read-write locks are from the first call on that waits, too.
bool mutexesAreRecorded() noexcept;
bool othersAreRecorded() noexcept;
void prepareOthers() noexcept;

/// Of a function of mutexes or conditions.
template <class Function>
bool records(const Function& function, const void* caller) noexcept {
    return mutexesAreRecorded() && recording() && !function.isLeftOut() && !code::isRuntime(caller);
}

/// Of another one that may end the waiting of others.
template <class Function>
bool recordsWake(const Function& function, const void* caller) noexcept {
    return othersAreRecorded() && recording() && !function.isLeftOut() && !code::isRuntime(caller);
}

/// Of another one that is about to wait. Within a call of MPI the time is that of the call.
template <class Function>
bool recordsWait(const Function& function, const void* caller) noexcept {
    if (!recording() || code::isRuntime(caller) || isInOpenCall()) return false;
    prepareOthers();
    return !function.isLeftOut();
}

class Inside {
  public:
    explicit Inside(RegionRef region) noexcept : region_(region) { enter(region_); }
    ~Inside() { leave(region_); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

  private:
    RegionRef region_;
};

/// The regions of each file's functions, once.
void defineMutexes() noexcept;
void defineMeetings() noexcept;
void defineSharedLocks() noexcept;

}  // namespace holos::tracing::threads
