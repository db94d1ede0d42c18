// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

#include "campaign/state.h"

namespace holos::campaign {

/// How a run of a campaign ended.
struct Outcome {
    enum class Kind : unsigned char { Finished, Failed, Interrupted };
    Kind kind = Kind::Finished;
    std::string reason;   ///< of a failure
    Measurement counted;  ///< of a finished run: the events that its experiment has
    Refused refused;      ///< events that were found not to be countable
    double seconds = 0.0;
};

/// Runs, records and analyzes. The output of the program and of Holos goes to `outputOf`. Nothing has the
/// run's names yet.
Outcome execute(const std::filesystem::path& folder, const Run& run, const std::vector<std::string>& command);

/// Analyzes what a batch system's script recorded; nothing while the script did not end.
std::optional<Outcome> collect(const std::filesystem::path& folder, const Run& run);

/// Analysis, or profile, of a run that finished.
std::filesystem::path analysisOf(const std::filesystem::path& folder, const Run& run);

/// Of runs whose command starts several MPI jobs: that the result has the first of them, and how to see the
/// others; empty for others.
std::string saidOfFurtherJobs(const std::filesystem::path& folder, const std::vector<Run>& runs);

/// Keeps the analyses and `measurement.json` of a run.
void deleteTrace(const std::filesystem::path& folder, const Run& run);

}  // namespace holos::campaign
