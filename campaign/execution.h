// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "campaign/state.h"

namespace holos::campaign {

/// The files of a run besides its folder.
std::filesystem::path outputOf(const std::filesystem::path& folder, const Run& run);
std::filesystem::path statusOf(const std::filesystem::path& folder, const Run& run);
/// What `holos record` found not to be countable: a JSON object of names and reasons. Missing where all is.
std::filesystem::path refusedOf(const std::filesystem::path& folder, const Run& run);
std::filesystem::path scriptOf(const std::filesystem::path& folder, const Run& run);

/// `holos record …` for a run; `holos` is the program to call.
std::vector<std::string> recordCommand(const std::string& holos, const std::filesystem::path& folder,
                                       const Run& run, const std::vector<std::string>& command);

/// The template of a batch script. Throws Error where it cannot be read, or is too large for one.
std::string readTemplate(const std::filesystem::path& file);

/// A script for a batch system: `text` with `@RECORD@` replaced by the command that runs and records the
/// program, leaving its output in `outputOf` and its exit status in `statusOf`; `@NAME@` by the run's name,
/// `@EVENTS@` by its events, `@OUTPUT@` by the path of its output. Throws Error when there is no `@RECORD@`.
std::string fillTemplate(const std::string& text, const std::filesystem::path& folder, const Run& run,
                         const std::vector<std::string>& record);

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
