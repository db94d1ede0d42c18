// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tracing/recordings/format/chosen_instances.h"

/// What a command tells the recorder about the recording that it starts.
namespace holos::tracing::core {

/// How much of the calls that led to an event is recorded.
enum class CallPathExtent : std::uint8_t { None, Site, Full };

/// What happens to the events of a thread that has as many as it may have.
enum class WhenFull : std::uint8_t { Stop, KeepNewest };

/// Texts are views: in the command of its options, in the recorder of its own copy. Empty texts and 0 mean
/// that nothing was asked for.
struct Settings {
    bool writesEvents = true;          ///< for a trace
    bool addsUp = false;               ///< for a profile
    std::string_view counters;         ///< read by each thread; names, separated by commas
    std::string_view sampledCounters;  ///< read by time, of the process or the node
    std::int64_t sampleInterval = 0;   ///< nanoseconds between two readings of those
    bool compensates = false;          ///< for what reading the counters counts
    bool multiplexes = false;          ///< counters, when there are more than can be counted at once
    std::string_view stackSamples;     ///< what interrupts threads, as `parseInterrupts` reads it
    CallPathExtent callPaths = CallPathExtent::Full;
    std::uint32_t throttle = 100'000;    ///< calls after which a short function is no longer recorded
    double throttleBelow = 1;            ///< microseconds; a function is short that takes less on average
    std::string_view ranks;              ///< that are recorded, as `listHasRank` reads them
    std::int64_t first = 0;              ///< nanoseconds of the run that are recorded
    std::string_view phase;              ///< name of the user regions in which events are recorded
    std::string_view tracePhase;         ///< name of those of which some are written, too; all is added up
    ChosenInstances traced;              ///< which of them
    std::string_view mpiGroups;          ///< of MPI functions that are recorded
    std::int64_t clockOffsetsEvery = 0;  ///< nanoseconds between comparisons of clocks during the run
    std::int64_t writeBack = 0;          ///< nanoseconds between two times of writing to the disk
    std::uint64_t buffer = 0;            ///< bytes of events that a thread keeps
    WhenFull whenFull = WhenFull::Stop;
    std::uint64_t diskReserve = 0;  ///< bytes that stay free on the disk of the recording
    bool stopsWhenDiskLow = false;  ///< then; else it goes on as a profile
    bool eachPoll = false;          ///< calls that found nothing have records of their own
    bool eachLock = false;          ///< so have locks that nobody waited for

    bool operator==(const Settings&) const = default;
};

/// The environment variable in which settings travel.
inline constexpr const char* kSettingsVariable = "HOLOS_SETTINGS";

/// The settings that are not the usual ones, as `name=value` between semicolons, where `%`, semicolons and
/// control characters of texts are written as `%` and two hexadecimal digits.
std::string encode(const Settings& settings);

/// The settings that `text` names, in whose place their texts are decoded; what it does not name, or what
/// cannot be understood, is as usual.
Settings decode(char* text) noexcept;

}  // namespace holos::tracing::core

#pragma GCC visibility push(default)  // for the MPI adapters
namespace holos::tracing::core {

/// Those of this process, as they were when they were first asked for.
const Settings& settings() noexcept;

}  // namespace holos::tracing::core
#pragma GCC visibility pop
