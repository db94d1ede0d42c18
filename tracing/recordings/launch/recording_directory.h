// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "tracing/recordings/archive/folder/folder_lock.h"
#include "tracing/recordings/archive/folder/living.h"
#include "tracing/recordings/archive/folder/ownership.h"
#include "tracing/recordings/launch/waiting.h"

namespace holos::launch {

/// What a launcher such as mpirun says of this process in the environment.
struct LaunchedRank {
    long rank = 0;
    long size = 1;
    archive::Job job;
};

/// Nothing when no launcher started this process.
std::optional<LaunchedRank> launchedRank();

/// A folder with an empty recording, or one that other ranks of the job have begun.
struct PreparedRecording {
    std::filesystem::path directory;
    std::string run;                 ///< its id
    archive::LivingCommand command;  ///< this one
};

/// Makes the folder when it is missing; `asked` may be empty for the default. Throws `Error` when it holds
/// another measurement (unless `force`, which removes that), or something else where a measurement has its
/// parts; when that is still being recorded, or when it cannot be made. `tell`: whom it waits for.
PreparedRecording prepareRecording(const std::string& asked, const std::filesystem::path& program,
                                   const std::optional<LaunchedRank>& rank, bool force,
                                   const archive::Tell& tell = {});

/// Says that this rank's program ended; true for the last one, which makes the trace of all. Always true
/// without a launcher. When a rank never ends (killed with its command), none is the last: `holos analyze`
/// makes the trace then.
bool isLastRank(const std::filesystem::path& directory, const std::optional<LaunchedRank>& rank);

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
