// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>
#include <utility>

namespace holos::validation {

/// The processors that this process may use.
unsigned processorCount();

/// Pins the calling thread to one of them, by its number from 0. Throws Error when it cannot be.
void pinTo(unsigned processor);

/// From the system; 64 where it does not know.
std::size_t cacheLineBytes();

/// What a spinning thread does in its n-th turn: where more threads than processors spin, one has to let go.
void spinPause(unsigned turn) noexcept;

/// Spins until the condition holds.
template <class Condition>
void spinUntil(Condition holds) noexcept {
    for (unsigned turn = 0; !holds(); ++turn) spinPause(turn);
}

/// Runs `work` in a thread on the second processor, and the caller on the first.
template <class Work>
std::jthread onOtherProcessor(Work work) {
    pinTo(1);  // what cannot be is said here, and not in the thread
    std::jthread thread(std::move(work));
    pinTo(0);
    return thread;
}

/// Threads meet; they spin, since sleeping and waking would be counted. Once only. Thread safety: safe.
class Meeting {
  public:
    explicit Meeting(unsigned threads = 2) : threads_(threads) {}

    void meet() noexcept {
        arrived_.fetch_add(1, std::memory_order_acq_rel);
        spinUntil([this] { return arrived_.load(std::memory_order_acquire) == threads_; });
    }

  private:
    unsigned threads_;
    alignas(256) std::atomic<unsigned> arrived_{0};
};

}  // namespace holos::validation
