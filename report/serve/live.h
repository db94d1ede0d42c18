// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "report/serve/views.h"

namespace holos::serve {

/// What a run has recorded so far, or all of it (`Subject::live` tells). `check` throws when nobody wants it
/// any more. Throws `holos::Error`.
Subject recordedSoFar(const std::filesystem::path& folder, const std::function<void()>& check);

/// Analyzes recordings of programs that run again and again, in a thread of its own, for as long as somebody
/// looks. Between two analyses it rests nine times as long as one takes, and some seconds at least.
class LiveRuns {
  public:
    struct Run {
        std::size_t number = 0;  ///< of the experiment
        std::filesystem::path folder;
    };
    struct Uses {
        std::function<bool()> isLookedAt;
        std::function<void(std::size_t number, const Subject& subject)> renew;
        std::chrono::nanoseconds leastRest = std::chrono::seconds(2);
    };
    LiveRuns(std::vector<Run> runs, Uses uses);
    ~LiveRuns();
    LiveRuns(const LiveRuns&) = delete;
    LiveRuns& operator=(const LiveRuns&) = delete;

  private:
    void work();
    /// False when it has ended.
    bool renewed(const Run& run);
    bool rest(std::chrono::nanoseconds time);

    std::vector<Run> runs_;
    Uses uses_;
    std::mutex mutex_;  ///< of the next
    std::condition_variable isOverNow_;
    bool isOver_ = false;
    std::thread thread_;
};

}  // namespace holos::serve
