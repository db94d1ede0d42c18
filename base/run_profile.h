// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/profile_counts.h"

/// What the locations of a run added up while they were recorded, on its way from the recording to an
/// experiment. Names are those of an OTF2 archive of the same run, which has its definitions. Times are
/// nanoseconds.
namespace holos {

/// A call path of one location. See `tracing/recordings/format/cells.h` for the kinds.
struct ProfiledPath {
    enum class Kind : std::uint8_t { Root, Share, Task, Off, Flush, Region };
    /// In the place of a reference: none.
    static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

    Kind kind = Kind::Root;
    std::uint32_t parent = 0;       ///< position; before its children
    std::uint32_t region = kNone;   ///< of a region; none: its events count for the parent
    std::uint32_t context = kNone;  ///< the calls that led there; of a share, to its master's region
    std::uint64_t master = 0;       ///< of a share: the location that forked
    std::uint32_t forkedIn = 0;     ///< of a share: the master's path that forked
    /// Of a flush of the recorder's buffer, where that was not certainly in the parent: on the way between
    /// two paths, or between the latter and the fork or join of its team.
    std::uint32_t from = 0;
    std::uint32_t to = 0;  ///< 0: in the parent
    bool isBesideFork = false;
    std::uint64_t visits = 0;
    std::int64_t own = 0;       ///< in which the location was certainly in it, but those of ways
    std::int64_t after = 0;     ///< from the end of a parallel region to the end of its fork; of tasks
                                ///< the time of their runs
    std::uint64_t ended = 0;    ///< visits that were timed
    std::int64_t shortest = 0;  ///< of those
    std::int64_t longest = 0;
    double squares = 0;                        ///< their sum, in seconds²
    std::vector<std::uint64_t> counters = {};  ///< what counters counted; empty where there are none
    std::vector<ProfiledAmount> traffic = {};  ///< by `ProfileCount`; empty where there is none
};

/// That a path was entered after another one was left or entered.
struct ProfiledWay {
    static constexpr std::uint32_t kFromAny = ProfiledPath::kNone;  ///< no more is kept apart
    std::uint32_t from = 0;  ///< position: a sibling, or the parent where nothing else was entered before
    std::uint32_t to = 0;
    std::uint64_t times = 0;
    std::int64_t passed = 0;  ///< in between, until a fork
    std::int64_t sinceFork = 0;
    std::uint64_t forks = 0;
    std::vector<std::uint64_t> counters = {};
};

struct LocationProfile {
    std::uint64_t location = 0;  ///< its reference
    enum class Kind : std::uint8_t { Main, Thread, Place };
    Kind kind = Kind::Main;
    std::string program;  ///< of the process's first thread; else empty
    std::vector<ProfiledPath> paths;
    std::vector<ProfiledWay> ways;
    std::optional<std::uint64_t> counterSet;  ///< reference of the counters' metric class
};

struct RunProfile {
    std::vector<LocationProfile> locations;
};

}  // namespace holos
