// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>

namespace holos::tracing::core {

/// A thread of the recorder's own: none of the program, and no signal comes to it. What it does must not
/// allocate: the program can end in the middle of an allocation, and waits for it. Never destroyed.
class HelperThread {
  public:
    using Work = void (*)(HelperThread& self, void* data);

    bool start(Work work, void* data) noexcept;
    /// Until the time of CLOCK_MONOTONIC; false when `stop` was called.
    bool sleepUntil(std::int64_t time) noexcept;
    /// Asks it to end, and waits for that.
    void stop() noexcept;

  private:
    static void* run(void* self);

    pthread_t thread_{};
    std::atomic<std::uint32_t> mustStop_{0};
    Work work_ = nullptr;
    void* data_ = nullptr;
};

}  // namespace holos::tracing::core
