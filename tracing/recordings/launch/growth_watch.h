// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <thread>

#include "tracing/recordings/launch/waiting.h"

namespace holos::launch {

/// Room on the disk that the events of a recording take so far. 0 where there is none.
std::uint64_t bytesOfEvents(const std::filesystem::path& recording);

/// While one exists, it looks now and then how large a recording has become, in a thread of its own, and
/// announces once that it is larger than the limit, and what can be done about it.
///
/// Thread safety: one thread; `folder` and `announce` are called in another.
class GrowthWatch {
  public:
    static constexpr std::uint64_t kLarge = 1'000'000'000;
    static constexpr std::chrono::seconds kInterval{2};

    /// `folder`: where the recording's folder is at present, as it may be moved; may throw `Error`.
    GrowthWatch(std::function<std::filesystem::path()> folder, Announce announce,
                std::uint64_t limit = kLarge, std::chrono::milliseconds interval = kInterval);
    ~GrowthWatch();
    GrowthWatch(GrowthWatch&&) = delete;

  private:
    void watch();

    std::function<std::filesystem::path()> folder_;
    Announce announce_;
    std::uint64_t limit_;
    std::chrono::milliseconds interval_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    std::mutex mutex_;
    std::condition_variable ends_;
    bool isOver_ = false;
    std::thread thread_;
};

}  // namespace holos::launch
