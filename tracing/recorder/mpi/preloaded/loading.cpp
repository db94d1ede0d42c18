// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/mpi/preloaded/loading.h"

#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <new>
#include <thread>

#include "tracing/recorder/core/call_paths.h"
#include "tracing/recorder/core/helper_thread.h"

namespace holos::tracing::mpi {
namespace {

/// A thread of the recorder takes the dynamic linker's lock once: who asks for it otherwise waits as well.
/// Never destroyed, as it may wait as long as the process lives.
struct Attempt {
    core::HelperThread thread;
    std::atomic<bool> hadLock{false};

    static void takeLock(core::HelperThread&, void* data) {
        Dl_info info{};
        ::dladdr(reinterpret_cast<const void*>(&takeLock), &info);
        static_cast<Attempt*>(data)->hadLock.store(true, std::memory_order_release);
    }
};

bool hasLockWithin(const Attempt& attempt, std::chrono::milliseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (!attempt.hadLock.load(std::memory_order_acquire)) {
        if (std::chrono::steady_clock::now() >= end) return false;
        std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
    return true;
}

}  // namespace

bool canLoadNow() noexcept {
    using namespace std::chrono_literals;
    static Attempt* unanswered = nullptr;  // it was given up
    Attempt* const attempt = unanswered != nullptr ? unanswered : new (std::nothrow) Attempt;
    const bool isFirst = attempt != unanswered;
    if (attempt == nullptr) return true;
    if (isFirst && !attempt->thread.start(&Attempt::takeLock, attempt)) return true;
    unanswered = attempt;
    if (!hasLockWithin(*attempt, 20ms)) {
        if (stacks::isCalledByLoader()) return true;  // the caller has the lock
        if (!isFirst || !hasLockWithin(*attempt, 5s)) return false;
    }
    attempt->thread.stop();
    unanswered = nullptr;
    return isFirst || canLoadNow();
}

}  // namespace holos::tracing::mpi
