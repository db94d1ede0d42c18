// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/helper_thread.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>

#include "tracing/recorder/core/confining.h"
#include "tracing/recorder/core/floating_point.h"
#include "tracing/recorder/core/other_threads.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recorder/interpose/next_function.h"

namespace holos::tracing::core {
namespace {

std::atomic<int> momentaryThreads{0};

struct Task {
    void (*work)(void*);
    void* data;
};

int run(void* data) {
    const auto& task = *static_cast<Task*>(data);
    if (separateFiles()) task.work(task.data);
    return 0;
}

/// Signals are for the program's threads.
class NoSignals {
  public:
    NoSignals() noexcept {
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~NoSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    NoSignals(const NoSignals&) = delete;
    NoSignals& operator=(const NoSignals&) = delete;

  private:
    sigset_t before_{};
};

/// What a thread of the kernel runs on for a moment; null where there is no memory.
class Stack {
  public:
    Stack() noexcept {
        void* const got = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
        if (got != MAP_FAILED) bytes_ = static_cast<char*>(got);
    }
    ~Stack() {
        if (bytes_ != nullptr) ::munmap(bytes_, kBytes);
    }
    Stack(const Stack&) = delete;
    Stack& operator=(const Stack&) = delete;

    char* end() const noexcept { return bytes_ != nullptr ? bytes_ + kBytes : nullptr; }

  private:
    static constexpr std::size_t kBytes = 64 * 1024;
    char* bytes_ = nullptr;
};

}  // namespace

void runWithOwnFiles(void (*work)(void* data), void* data) noexcept {
    Task task{work, data};
    const NoSignals none;
    const Stack stack;
    // Like a child of vfork(2): it has the thread-local data of its caller, which waits for its end. For a
    // thread of the C library those would come from the program's heap.
    constexpr int kThreadOfOwnFiles =
        CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_SYSVSEM | CLONE_THREAD | CLONE_VFORK;
    if (stack.end() == nullptr) return;
    momentaryThreads.fetch_add(1);
    ::clone(&run, stack.end(), kThreadOfOwnFiles, &task);
    momentaryThreads.fetch_sub(1);
}

bool someRunForAMoment() noexcept {
    return momentaryThreads.load() != 0;
}

}  // namespace holos::tracing::core

#ifndef SYS_close_range
#define SYS_close_range 436  // Linux 5.9
#endif

namespace holos::tracing::core {
namespace {

constexpr unsigned kUnshare = 2;  ///< CLOSE_RANGE_UNSHARE

/// As close_range(2) where there is none.
bool unshareAndClose() noexcept {
    if (::unshare(CLONE_FILES) != 0) return false;
    rlimit limit{};
    constexpr rlim_t kMost = 1U << 20;
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = kMost;
    const auto most = static_cast<int>(std::min(limit.rlim_cur, kMost));
    for (int i = 0; i < most; ++i) ::close(i);
    return true;
}

}  // namespace

bool separateFiles() noexcept {
    if (::syscall(SYS_close_range, 0U, ~0U, kUnshare) != 0 && !unshareAndClose()) return false;
    for (int i = 0; i < 3; ++i) ::open("/dev/null", O_RDWR | O_CLOEXEC);
    return true;
}

namespace {

constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;

// The C library's: the recorder's own are for the program's threads.
constinit interpose::Next<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)> createThread(
    "pthread_create");
constinit interpose::Next<int(pthread_t, void**)> joinThread("pthread_join");
constinit interpose::Next<int(pthread_t, void**)> joinThreadIfEnded("pthread_tryjoin_np");

std::atomic<unsigned> helpers{0};

/// Whether the kernel has released the memory of a thread, as it does when one has ended that was the first
/// of its process and stays there until the last one has ended.
bool hasEnded(pid_t thread) noexcept {
    char path[64];
    char target[1];
    std::snprintf(path, sizeof path, "/proc/self/task/%d/exe", static_cast<int>(thread));
    return ::readlink(path, target, sizeof target) < 0 && errno == ENOENT;
}

/// Asks first whether the first thread has ended: before that, it could start others between the two
/// questions.
bool onlyHelpersAreLeft() noexcept {
    constexpr nlink_t kNoThreads = 2;
    if (hasEnded(static_cast<pid_t>(::syscall(SYS_gettid))) || !hasEnded(::getpid())) return false;
    struct stat facts {};
    return ::stat("/proc/self/task", &facts) == 0 && facts.st_nlink <= kNoThreads + helpers.load() + 1;
}

}  // namespace

bool HelperThread::isToLookNow(std::int64_t now) noexcept {
    constexpr std::int64_t kInterval = 500'000'000;
    if (now < nextLook_) return false;
    nextLook_ = now + kInterval;
    return true;
}

void* HelperThread::run(void* data) noexcept {
    auto& self = *static_cast<HelperThread*>(data);
    interpose::beginWith(self.confinement_);
    thisThread.state = Thread::kOnePause;
    const KeepFloatingPoint keep;  // a new thread has the traps of the one that started it
    beginOtherThread(ThreadOrigin::Recorder, nullptr);
    self.work_(self, self.data_);
    endOtherThread();
    helpers.fetch_sub(1);
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

/// Signals are for the program's threads, but for that of a disk that fails under what the helper writes.
bool HelperThread::start(Work work, void* data) noexcept {
    work_ = work;
    confinement_ = interpose::confinement();
    joinThreadIfEnded.get();
    data_ = data;
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::sigdelset(&all, SIGBUS);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    helpers.fetch_add(1);
    const bool good = createSmall() || createThread.get()(&thread_, nullptr, &run, this) == 0;
    if (!good) helpers.fetch_sub(1);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return good;
}

bool HelperThread::sleepUntil(std::int64_t time) noexcept {
    for (;;) {
        const std::uint32_t asked = asked_.fetch_and(~kWoken);
        if ((asked & kMustStop) != 0) return false;
        const std::int64_t now = nanoseconds(CLOCK_MONOTONIC);
        if (isToLookNow(now) && onlyHelpersAreLeft()) return false;
        if (now >= time || asked != 0) return true;
        const std::int64_t rest = std::min(time, nextLook_) - now;
        const timespec timeout{rest / kNanosecondsPerSecond, rest % kNanosecondsPerSecond};
        ::syscall(SYS_futex, &asked_, FUTEX_WAIT_PRIVATE, 0, &timeout, nullptr, 0);
    }
}

void HelperThread::wake() noexcept {
    if ((asked_.fetch_or(kWoken) & kWoken) == 0)
        ::syscall(SYS_futex, &asked_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

/// Wakes nobody: it notices when it looks next. To ask whether it has ended takes no system call.
void HelperThread::waitForItsEnd() noexcept {
    constexpr unsigned kMostTurns = 50'000'000;  // a few seconds, which no clock can be asked for
    for (unsigned i = 0; i < kMostTurns && joinThreadIfEnded.get()(thread_, nullptr) == EBUSY; ++i) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
}

void HelperThread::stop() noexcept {
    asked_.fetch_or(kMustStop);
    if (!mayAskKernel()) return waitForItsEnd();
    ::syscall(SYS_futex, &asked_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    joinThread.get()(thread_, nullptr);
}

}  // namespace holos::tracing::core
