// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/chosen.h"
#include "base/json.h"
#include "tracing/recordings/format/settings.h"

namespace holos::measurement {

#define HOLOS_CHOICE2(Type, ...) using tracing::core::Type;
#define HOLOS_CHOICE3(Type, ...) using tracing::core::Type;
#include "tracing/recordings/format/record_options.def"

/// How a run is recorded: what the options of `holos record` (tracing/recordings/format/record_options.def)
/// decide about the recording, in one structure. It is kept in the recording and in `measurement.json`
/// (`settings`), read again by whoever needs it, and repeated by `holos record --like`. The recorder gets
/// what follows from it, in a form that needs no memory (`tracing/recordings/format/settings.h`):
/// `launch/recorder_settings.cpp` makes each of its settings of these.
struct RecordSettings {
#define HOLOS_RECORDING_OPTION(names, Kind, member, usual, ...) \
    tracing::core::OptionKind<tracing::core::Kind>::Kept member = usual;
#include "tracing/recordings/format/record_options.def"

    bool operator==(const RecordSettings&) const = default;

    /// Beside a profile, also of a part of the run.
    bool makesTrace() const {
        return !profile || trace || !tracePhase.empty();
    }
    bool hasOwnOpenMpRuntime() const {
        return openMpRuntime == OpenMpRuntime::Own;
    }
    bool stopsWhenFull() const {
        return whenFull == WhenFull::Stop;
    }
    /// The name alone; empty where no phase is traced.
    std::string tracedPhaseName() const;
    /// Bytes that stay free on the disk that a folder is on.
    std::uint64_t reserveOn(const std::filesystem::path& folder) const;
    std::int64_t sampledEvery() const;  ///< nanoseconds
};

/// Each setting by the long name of its option.
template <class Visit>
constexpr void forEachRecordSetting(const Visit& visit) {
#define HOLOS_RECORDING_OPTION(names, Kind, member, ...) \
    visit(std::string(tracing::core::longName(names)), &RecordSettings::member);
#include "tracing/recordings/format/record_options.def"
}

/// Each setting by its name: times in nanoseconds (`throttle-below` in microseconds), sizes in bytes, choices
/// as their words; null for what nothing was said of.
nlohmann::json settingsJson(const RecordSettings& settings);

/// What is not named is as usual. Throws `Error` for a value of another kind.
RecordSettings settingsFrom(const nlohmann::json& object);

}  // namespace holos::measurement
