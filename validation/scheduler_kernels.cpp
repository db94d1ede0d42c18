// SPDX-License-Identifier: BSD-3-Clause
#include <sched.h>
#include <semaphore.h>
#include <time.h>

#include <cerrno>
#include <thread>

#include "validation/kernels.h"
#include "validation/processors.h"

namespace holos::validation::kernels {

namespace {

class Baton {
  public:
    Baton() { ::sem_init(&semaphore_, 0, 0); }
    ~Baton() { ::sem_destroy(&semaphore_); }
    Baton(Baton&&) = delete;

    void give() noexcept { ::sem_post(&semaphore_); }
    void take() noexcept {
        while (::sem_wait(&semaphore_) != 0 && errno == EINTR) continue;
    }

  private:
    sem_t semaphore_;
};

/// A thread of this class that wakes does not take the processor from the one that woke it, so that this one
/// gets to its own sleep.
void yieldToTheRunning() noexcept {
    const sched_param none{};
    ::sched_setscheduler(0, SCHED_BATCH, &none);
}

std::uint64_t processorNanoseconds() noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace

void handOver(std::uint64_t size, Window& window) {
    Baton ours, theirs, ready;
    pinTo(0);
    yieldToTheRunning();
    const std::jthread other([&] {
        yieldToTheRunning();
        ready.give();
        for (std::uint64_t turn = 0; turn < size; ++turn) {
            theirs.take();
            ours.give();
        }
    });
    ready.take();
    window.begin();
    for (std::uint64_t turn = 0; turn < size; ++turn) {
        theirs.give();
        ours.take();
    }
    window.end();
}

void migrate(std::uint64_t size, Window& window) {
    pinTo(1);
    pinTo(0);
    window.begin();
    for (std::uint64_t turn = 1; turn <= size; ++turn) pinTo(static_cast<unsigned>(turn % 2));
    window.end();
}

void compute(std::uint64_t size, Window& window) {
    processorNanoseconds();  // the first call is slow
    window.begin();
    const std::uint64_t end = processorNanoseconds() + size;
    while (processorNanoseconds() < end) continue;
    window.end();
}

}  // namespace holos::validation::kernels
