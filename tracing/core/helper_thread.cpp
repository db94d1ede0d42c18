// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/core/helper_thread.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>

#include "tracing/core/floating_point.h"
#include "tracing/core/thread.h"
#include "tracing/interpose/next_function.h"

namespace holos::tracing::core {
namespace {

constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;

// The C library's: the recorder's own are for the program's threads.
constinit interpose::Next<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)> createThread(
    "pthread_create");
constinit interpose::Next<int(pthread_t, void**)> joinThread("pthread_join");

}  // namespace

void* HelperThread::run(void* data) {
    auto& self = *static_cast<HelperThread*>(data);
    thisThread.state = Thread::kOnePause;
    const KeepFloatingPoint keep;  // a new thread has the traps of the one that started it
    self.work_(self, self.data_);
    return nullptr;
}

/// Signals are for the program's threads.
bool HelperThread::start(Work work, void* data) noexcept {
    work_ = work;
    data_ = data;
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool good = createThread.get()(&thread_, nullptr, &run, this) == 0;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return good;
}

bool HelperThread::sleepUntil(std::int64_t time) noexcept {
    while (mustStop_.load() == 0) {
        const std::int64_t rest = time - nanoseconds(CLOCK_MONOTONIC);
        if (rest <= 0) return true;
        const timespec timeout{rest / kNanosecondsPerSecond, rest % kNanosecondsPerSecond};
        ::syscall(SYS_futex, &mustStop_, FUTEX_WAIT_PRIVATE, 0, &timeout, nullptr, 0);
    }
    return false;
}

void HelperThread::stop() noexcept {
    mustStop_.store(1);
    ::syscall(SYS_futex, &mustStop_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    joinThread.get()(thread_, nullptr);
}

}  // namespace holos::tracing::core
