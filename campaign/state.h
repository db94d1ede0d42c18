// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "campaign/plan.h"

namespace holos::campaign {

/// One execution of the program. Its name is that of its folder in the campaign's.
struct Run {
    std::string name;
    Measurement events;
    bool isProfile = false;      ///< added up while it ran, without a trace
    bool isMultiplexed = false;  ///< all events at once, to be compared with the other runs
};

struct FinishedRun {
    Run run;
    double seconds = 0.0;  ///< what it took, with its analysis; 0 when that is not known
};

struct FailedRun {
    Run run;
    std::string reason;
};

/// What a campaign has done so far; `DIR/campaign.json`.
struct State {
    std::vector<std::string> command;
    Request request;
    Refused refused;  ///< what the machine was found not to count
    std::vector<FinishedRun> finished;
    std::vector<FailedRun> failed;
    std::vector<Run> scripted;  ///< handed to a batch system and not collected yet
    std::string begun = {};  ///< name of the run that is, or was, under way; its files are of this campaign
};

/// The names of all runs of a campaign, that under way too.
std::set<std::string> runsOf(const State& state);

/// The names of a campaign's files in its folder.
inline constexpr const char* kStateFile = "campaign.json";
inline constexpr const char* kSpecificationFile = "campaign.spec";
inline constexpr const char* kTemplateFile = "campaign.template";
inline constexpr const char* kResultFile = "campaign.cubex";
inline constexpr const char* kDeviationFile = "deviation.cubex";
inline constexpr const char* kVariationFile = "variation.csv";
inline constexpr const char* kMultiplexingFile = "multiplexing.csv";

/// Nothing when the folder has none. Throws Error for one that is damaged.
std::optional<State> loadState(const std::filesystem::path& folder);

/// Replaces the file as a whole: an interruption leaves the old or the new one.
void saveState(const State& state, const std::filesystem::path& folder);

}  // namespace holos::campaign
