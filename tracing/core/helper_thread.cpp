// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/core/helper_thread.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>

#include "tracing/core/floating_point.h"
#include "tracing/core/other_threads.h"
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
    beginOtherThread(ThreadOrigin::Recorder, nullptr);
    self.work_(self, self.data_);
    endOtherThread();
    return nullptr;
}

/// Its stack counts where a program may have only so much memory. Too small a one is refused, as where
/// libraries have much thread-local data.
bool HelperThread::createSmall() noexcept {
    constexpr std::size_t kStackBytes = 1024 * 1024;
    pthread_attr_t attributes;
    if (::pthread_attr_init(&attributes) != 0) return false;
    const bool good = ::pthread_attr_setstacksize(&attributes, kStackBytes) == 0 &&
                      createThread.get()(&thread_, &attributes, &run, this) == 0;
    ::pthread_attr_destroy(&attributes);
    return good;
}

/// Signals are for the program's threads.
bool HelperThread::start(Work work, void* data) noexcept {
    work_ = work;
    data_ = data;
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool good = createSmall() || createThread.get()(&thread_, nullptr, &run, this) == 0;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return good;
}

bool HelperThread::sleepUntil(std::int64_t time) noexcept {
    for (;;) {
        const std::uint32_t asked = asked_.fetch_and(~kWoken);
        if ((asked & kMustStop) != 0) return false;
        const std::int64_t rest = time - nanoseconds(CLOCK_MONOTONIC);
        if (rest <= 0 || asked != 0) return true;
        const timespec timeout{rest / kNanosecondsPerSecond, rest % kNanosecondsPerSecond};
        ::syscall(SYS_futex, &asked_, FUTEX_WAIT_PRIVATE, 0, &timeout, nullptr, 0);
    }
}

void HelperThread::wake() noexcept {
    if ((asked_.fetch_or(kWoken) & kWoken) == 0)
        ::syscall(SYS_futex, &asked_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

void HelperThread::stop() noexcept {
    asked_.fetch_or(kMustStop);
    ::syscall(SYS_futex, &asked_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    joinThread.get()(thread_, nullptr);
}

}  // namespace holos::tracing::core
