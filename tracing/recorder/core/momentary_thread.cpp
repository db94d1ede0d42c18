// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/momentary_thread.h"

#include <sched.h>
#include <sys/mman.h>

#include <atomic>
#include <csignal>

#include "tracing/recorder/core/helper_thread.h"

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
