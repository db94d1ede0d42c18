// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/core/kernel_counts.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "tracing/core/separate_files.h"
#include "tracing/system/confinement.h"

namespace holos::tracing::core {
namespace {

constexpr std::int64_t kUnknown = -1;

/// What the file of this name says of a thread, with a zero at its end; false where there is none.
template <std::size_t kBytes>
bool read(pid_t thread, const char* name, char (&text)[kBytes]) noexcept {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/self/task/%d/%s", static_cast<int>(thread), name);
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    const ssize_t size = ::read(file, text, kBytes - 1);
    ::close(file);
    text[size > 0 ? size : 0] = '\0';
    return size > 0;
}

/// What it counts as `se.nr_migrations`.
std::int64_t migrationsOf(pid_t thread) noexcept {
    char text[4096];
    const char* const name = read(thread, "sched", text) ? std::strstr(text, "nr_migrations") : nullptr;
    const char* const colon = name != nullptr ? std::strchr(name, ':') : nullptr;
    return colon != nullptr ? std::strtoll(colon + 1, nullptr, 10) : kUnknown;
}

/// The kernel counts it where it counts that the thread got a processor.
std::int64_t waitingOf(pid_t thread) noexcept {
    char text[128];
    if (!read(thread, "schedstat", text)) return kUnknown;
    char* end = text;
    std::strtoll(end, &end, 10);  // on processors, of less use: without the turn that it has now
    const std::int64_t waited = std::strtoll(end, &end, 10);
    const std::int64_t turns = std::strtoll(end, &end, 10);
    return turns > 0 ? waited : kUnknown;
}

/// By the clock of the thread's number. clock_getcpuclockid(3) makes it of handles of the C library, which
/// are not valid any more once a thread has ended.
std::int64_t onProcessorsOf(pid_t thread) noexcept {
    constexpr auto kOfThread = 4U;
    constexpr auto kAsScheduled = 2U;
    constexpr std::int64_t kNanoseconds = 1'000'000'000;
    const auto clock = static_cast<clockid_t>(~static_cast<unsigned>(thread) << 3 | kOfThread | kAsScheduled);
    timespec time{};
    if (::clock_gettime(clock, &time) != 0) return kUnknown;
    return time.tv_sec * kNanoseconds + time.tv_nsec;
}

struct Question {
    pid_t thread;
    KernelCounts counts;
};

int answer(void* data) {
    auto& question = *static_cast<Question*>(data);
    if (separateFiles()) question.counts = countsOf(question.thread);
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

KernelCounts countsOf(pid_t thread) noexcept {
    if (system::isConfined()) return {};
    return {migrationsOf(thread), onProcessorsOf(thread), waitingOf(thread)};
}

KernelCounts countsByHelper(pid_t thread) noexcept {
    Question question{thread, {}};
    if (system::isConfined()) return question.counts;
    const NoSignals none;
    const Stack stack;
    // Like a child of vfork(2): it has the thread-local data of its caller, which waits for its end. For a
    // thread of the C library those would come from the program's heap.
    constexpr int kThreadOfOwnFiles =
        CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_SYSVSEM | CLONE_THREAD | CLONE_VFORK;
    if (stack.end() != nullptr) ::clone(&answer, stack.end(), kThreadOfOwnFiles, &question);
    return question.counts;
}

}  // namespace holos::tracing::core
