// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace holos {

/// Sizes up to which messages are counted together: 64 bytes, 1 and 16 KiB, and so on; one more class has
/// those that are larger.
inline constexpr std::array<std::uint64_t, 5> kMessageSizes{64, 1024, 16384, 262144, 4194304};
inline constexpr std::size_t kSizeClasses = kMessageSizes.size() + 1;

/// The class of a message that carries bytes.
constexpr std::size_t sizeClassOf(std::uint64_t bytes) {
    constexpr unsigned kFirst = 6;  // of 2^6 bytes
    constexpr unsigned kEach = 4;   // 16 times as many
    const auto bits = static_cast<unsigned>(std::bit_width(bytes - 1));
    if (bits <= kFirst) return 0;
    const std::size_t known = (bits - kFirst + kEach - 1) / kEach;
    return known < kSizeClasses ? known : kSizeClasses - 1;
}

/// What a profile counts of messages and operations, by call path: how many there were, and their bytes.
enum class ProfileCount : std::uint8_t {
    EmptySends,  ///< messages without bytes
    Sends,       ///< of the first class of sizes; then the others
    EmptyReceives = Sends + kSizeClasses,
    Receives,                             ///< by class of sizes, too
    Exchanges = Receives + kSizeClasses,  ///< collective operations in which the process sends and receives;
                                          ///< bytes are those that it sends
    Sources,                              ///< in which it only sends
    Destinations,                         ///< in which it only receives
    Synchronizations,                     ///< in which it moves no bytes
    ReceivedTogether,                     ///< bytes that it receives in any of these; their number is 0
    Puts,                                 ///< of one-sided communication
    Gets
};
inline constexpr std::size_t kProfileCounts = static_cast<std::size_t>(ProfileCount::Gets) + 1;

struct ProfiledAmount {
    std::uint64_t number;
    std::uint64_t bytes;
};

/// Of `ProfileCount::Sends` or `Receives`, that of a class.
constexpr ProfileCount ofClass(ProfileCount first, std::size_t sizeClass) {
    return static_cast<ProfileCount>(static_cast<std::size_t>(first) + sizeClass);
}

/// What the locations of a run added up while they were recorded, on its way from the recording to an
/// experiment. Names are those of an OTF2 archive of the same run, which has its definitions. Times are
/// nanoseconds.

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

/// How often a path was entered after another one was left or entered.
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
