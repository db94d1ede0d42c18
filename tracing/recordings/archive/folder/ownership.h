// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tracing/recordings/archive/folder/measurement_folder.h"

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
