// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>

#include "tracing/recorder/interpose/confinement.h"

namespace holos::tracing::core {

/// Has a thread of the kernel do something that needs descriptors, while the caller waits: it has none of the
/// program's, and its own go with it. It takes nothing from the program's heap, gets no signals, and must not
/// allocate. Nothing is done where the kernel has no room for it. Not for programs that are confined
/// (`interpose::may`).
void runWithOwnFiles(void (*work)(void* data), void* data) noexcept;

/// Whether some thread waits for one.
bool someRunForAMoment() noexcept;

/// Gives the calling thread files of its own, none of the program's: a thread of the recorder must not take
/// numbers that the program expects to get, nor keep open what the program closes, and nobody writes to its
/// files by mistake. The first three numbers are of no file of the recording. False, and nothing is done,
/// where the kernel refuses.
bool separateFiles() noexcept;

/// A thread of the recorder's own: none of the program, and no signal comes to it. What it does must not
/// allocate: the program can end in the middle of an allocation, and waits for it. Never destroyed.
///
/// Thread safety: one thread starts and ends it.
class HelperThread {
  public:
    using Work = void (*)(HelperThread& self, void* data);

    bool start(Work work, void* data) noexcept;
    /// Until the time of CLOCK_MONOTONIC, or until `wake` is called; false when `stop` was, or when all
    /// threads of the program have ended by system calls of their own: the process lives as long as this one.
    bool sleepUntil(std::int64_t time) noexcept;
    void wake() noexcept;
    /// Asks it to end, and waits for that.
    void stop() noexcept;

  private:
    static void* run(void* self) noexcept;
    bool createSmall() noexcept;

    pthread_t thread_{};
    bool isToLookNow(std::int64_t now) noexcept;
    void waitForItsEnd() noexcept;

    interpose::Confinement confinement_;  ///< of the thread that starts it
    std::int64_t nextLook_ = 0;
    static constexpr std::uint32_t kWoken = 1;
    static constexpr std::uint32_t kMustStop = 2;
    std::atomic<std::uint32_t> asked_{0};  ///< what it is asked for
    Work work_ = nullptr;
    void* data_ = nullptr;
};

}  // namespace holos::tracing::core
