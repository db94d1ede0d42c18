// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracing/recordings/archive/folder/measurement_folder.h"

/// Which run a recording is of.
namespace holos::archive {

/// 128 random bits, as hexadecimal digits. Throws `Error`.
std::string newRunId();

/// Whether a text is an id of a run.
bool isRunId(const std::string& text);

/// What a `holos record` command knows of the job that it belongs to.
struct Job {
    std::string name;       ///< equal for all commands of the job; empty where there is no launcher
    bool isUnique = false;  ///< no other job has this name, at any time on any machine
    std::string boot;       ///< of the running kernel
    std::string origin;     ///< who started the commands of the job on this kernel
};

/// Kept in the recording.
struct RunIdentity {
    std::string id;                              ///< 128 random bits
    std::string job;                             ///< its name
    std::map<std::string, std::string> origins;  ///< by kernel
};

/// With a new id.
RunIdentity newRun(const Job& job);

/// Whether a command of this job belongs to the run: the same name of a job and, where that may come again,
/// the same origin on its kernel.
bool belongs(const Job& job, const RunIdentity& run);

/// Of a recording; nothing where it does not say.
std::optional<RunIdentity> readRun(const fs::path& recording);

/// Atomically. Throws `Error`.
void writeRun(const fs::path& recording, const RunIdentity& run);

}  // namespace holos::archive

/// What in a folder is of Holos. Each part of a measurement says which run it is of; whatever stands under
/// one of their names and does not say it is somebody else's, and is neither replaced nor removed.
namespace holos::archive {

/// The parts that a trace, or a profile, consists of. The last one makes it complete. Of a run that only
/// added up there are the profile and the measurement alone.
inline constexpr std::array kFilesOfTrace{"traces", "traces.def", kProfileFile, measurement::kMeasurementFile,
                                          "traces.otf2"};

/// The file in `traces/` that says which run the events are of.
inline constexpr const char* kRunOfEvents = "run";
/// Samples by instruction, beside a trace's events.
inline constexpr const char* kSamplesOfEvents = "samples";
/// What stands before the id of the run in `traces.def`, and the property of `traces.otf2` that is the id.
inline constexpr const char* kRunOfDefinitions = "HOLOS::RUN ";
inline constexpr const char* kRunProperty = "HOLOS::RUN";

/// What stands in a folder where a measurement has its parts.
struct InTheWay {
    std::vector<std::string> ofHolos;  ///< names
    std::vector<std::string> others;   ///< names of what is not known to be of a run
    bool any() const { return !ofHolos.empty() || !others.empty(); }
};

InTheWay inTheWay(const fs::path& directory);

/// Whether anything has this name, links that lead nowhere too.
bool isThere(const fs::path& path);

/// `traces/, measurement.json and 3 more`
std::string listed(const std::vector<std::string>& names);

}  // namespace holos::archive
