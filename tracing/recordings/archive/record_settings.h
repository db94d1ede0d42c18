// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "base/at_most.h"
#include "tracing/recordings/format/settings.h"

/// How a run is recorded: what the options of `holos record` decide about the recording, in one structure. It
/// is kept in the recording and in `measurement.json` (`settings`), read again by whoever needs it, and
/// repeated by `holos record --like`. The recorder gets what follows from it, in a form that needs no memory
/// (`tracing/recordings/format/settings.h`): `launch/recorder_settings.cpp` makes each of its settings of
/// these.
namespace holos::archive {

using tracing::core::CallPathExtent;
using tracing::core::WhenFull;

/// Of calls that find nothing, and of locks that nobody waits for.
enum class Thinning : std::uint8_t { Thin, Each };
/// The OpenMP runtime of programs that gcc compiled.
enum class OpenMpRuntime : std::uint8_t { Own, Llvm };
enum class WhenDiskLow : std::uint8_t { Profile, Stop };

/// The words of a choice, as options and files have them.
template <class Choice>
inline constexpr std::array<std::pair<const char*, Choice>, 0> kWordsOf{};
template <>
inline constexpr auto kWordsOf<CallPathExtent> =
    std::array{std::pair{"full", CallPathExtent::Full}, std::pair{"sites", CallPathExtent::Site},
               std::pair{"none", CallPathExtent::None}};
template <>
inline constexpr auto kWordsOf<Thinning> =
    std::array{std::pair{"thin", Thinning::Thin}, std::pair{"each", Thinning::Each}};
template <>
inline constexpr auto kWordsOf<OpenMpRuntime> =
    std::array{std::pair{"own", OpenMpRuntime::Own}, std::pair{"llvm", OpenMpRuntime::Llvm}};
template <>
inline constexpr auto kWordsOf<WhenFull> =
    std::array{std::pair{"stop", WhenFull::Stop}, std::pair{"newest", WhenFull::KeepNewest}};
template <>
inline constexpr auto kWordsOf<WhenDiskLow> =
    std::array{std::pair{"profile", WhenDiskLow::Profile}, std::pair{"stop", WhenDiskLow::Stop}};

template <class Choice>
const char* wordOf(Choice choice) requires std::is_enum_v<Choice> {
    for (const auto& [word, value] : kWordsOf<Choice>)
        if (value == choice) return word;
    return "";
}

struct RecordSettings {
    bool profile = false;
    bool trace = false;                    ///< beside the profile
    std::string tracePhase;                ///< `NAME:FIRST+COUNT/EVERY`, or a name with `traceShare`
    std::optional<double> traceShare;      ///< per cent
    std::string counters;                  ///< names, separated by commas
    std::optional<double> sampleInterval;  ///< nanoseconds between readings of counters of process and node
    std::string set;                       ///< measurement set of the specification, instead of counters
    std::string specification = "linux-software";
    std::string filter;  ///< file
    bool compensate = false;
    bool multiplex = false;
    std::string sample;  ///< what the call stack is sampled by
    CallPathExtent callPaths = tracing::core::Settings{}.callPaths;
    Thinning polls = Thinning::Thin;
    Thinning locks = Thinning::Thin;
    OpenMpRuntime openMpRuntime = OpenMpRuntime::Own;
    std::optional<double> clockOffsetsEvery;                         ///< nanoseconds
    std::optional<double> writeBack;                                 ///< nanoseconds
    std::uint32_t throttle = tracing::core::Settings{}.throttle;     ///< calls
    double throttleBelow = tracing::core::Settings{}.throttleBelow;  ///< microseconds
    std::string ranks;
    std::optional<double> first;  ///< nanoseconds
    std::string phase;
    std::string mpi;       ///< groups of functions
    AtMost buffer = kAll;  ///< bytes of events that a thread keeps
    WhenFull whenFull = tracing::core::Settings{}.whenFull;
    WhenDiskLow whenDiskLow = WhenDiskLow::Profile;
    std::optional<std::size_t> diskReserve;  ///< bytes
    bool keepCommand = false;                ///< what looks like a secret in a command line is not masked

    bool operator==(const RecordSettings&) const = default;

    /// Beside a profile, also of a part of the run.
    bool makesTrace() const { return !profile || trace || !tracePhase.empty(); }
    bool hasOwnOpenMpRuntime() const { return openMpRuntime == OpenMpRuntime::Own; }
    bool stopsWhenFull() const { return whenFull == WhenFull::Stop; }
    /// The name alone; empty where no phase is traced.
    std::string tracedPhaseName() const;
    /// Bytes that stay free on the disk that a folder is on.
    std::uint64_t reserveOn(const std::filesystem::path& folder) const;
    std::int64_t sampledEvery() const;  ///< nanoseconds
};

/// The one list of settings, by the long names of the options that decide them.
template <class Visit>
constexpr void forEachRecordSetting(const Visit& visit) {
    visit("profile", &RecordSettings::profile);
    visit("trace", &RecordSettings::trace);
    visit("trace-phase", &RecordSettings::tracePhase);
    visit("trace-share", &RecordSettings::traceShare);
    visit("counters", &RecordSettings::counters);
    visit("counters-async", &RecordSettings::sampleInterval);
    visit("set", &RecordSettings::set);
    visit("spec", &RecordSettings::specification);
    visit("filter", &RecordSettings::filter);
    visit("compensate", &RecordSettings::compensate);
    visit("multiplex", &RecordSettings::multiplex);
    visit("sample", &RecordSettings::sample);
    visit("call-paths", &RecordSettings::callPaths);
    visit("polls", &RecordSettings::polls);
    visit("locks", &RecordSettings::locks);
    visit("openmp-runtime", &RecordSettings::openMpRuntime);
    visit("clock-offsets-every", &RecordSettings::clockOffsetsEvery);
    visit("write-back", &RecordSettings::writeBack);
    visit("throttle", &RecordSettings::throttle);
    visit("throttle-below", &RecordSettings::throttleBelow);
    visit("ranks", &RecordSettings::ranks);
    visit("first", &RecordSettings::first);
    visit("phase", &RecordSettings::phase);
    visit("mpi", &RecordSettings::mpi);
    visit("buffer", &RecordSettings::buffer);
    visit("when-full", &RecordSettings::whenFull);
    visit("when-disk-low", &RecordSettings::whenDiskLow);
    visit("disk-reserve", &RecordSettings::diskReserve);
    visit("keep-command", &RecordSettings::keepCommand);
}

/// Of a folder's `measurement.json`, or of the recording that its trace is not made of yet. Throws `Error`
/// where neither says how it was recorded, or not in words that are known.
RecordSettings readSettings(const std::filesystem::path& folder);

/// Of a recording; the usual ones where it does not say, or not in words that are known.
RecordSettings settingsOf(const std::filesystem::path& recording);

}  // namespace holos::archive
