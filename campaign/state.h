// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "campaign/plan.h"
#include "tracing/recordings/archive/folder/folder_lock.h"

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

/// The names of all runs of a campaign, also of the one that is under way.
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

/// Keeps every other campaign out of a folder while it lives. Throws Error when another one works there now.
class CampaignLock {
  public:
    explicit CampaignLock(const std::filesystem::path& folder);

  private:
    std::optional<archive::FolderLock> lock_;
};

/// Throws Error where the folder has something of a name that a campaign uses, which `earlier`, the campaign
/// that is there, did not make: it would be written over.
void refuseOthersFiles(const std::filesystem::path& folder, const State* earlier);

/// Removes what the campaign wrote into the folder. Throws Error, before anything is removed, where something
/// else is among it.
void removeCampaign(const std::filesystem::path& folder, const State& earlier);

/// Throws Error where something has the name of the run's folder or of one of its files.
void requireFree(const std::filesystem::path& folder, const Run& run);

/// Removes what an earlier attempt at the run left, but for what is not of Holos. Throws Error where
/// something of that is in the way of the next one.
void removeRun(const std::filesystem::path& folder, const std::string& run);

/// The runs that are still to be done for `measurements`, in the order in which each measurement is done once
/// before any is repeated. A run that finished or is scripted serves one measurement whose events it has,
/// also one of another plan. New runs get names that no run had before. Where the request compares with
/// multiplexing, the last run counts all events at once, as many as a recording can have; it serves nothing
/// else.
std::vector<Run> remainingRuns(const std::vector<Measurement>& measurements, const State& state);

/// One more run of a measurement.
Run anotherRun(const Measurement& measurement, const State& state);

/// How many finished runs have all events of a measurement.
std::size_t runsOf(const Measurement& measurement, const State& state);

/// Decides which of the runs to be done leave profiles, and which traces. `needsTrace`: of events that no
/// profile keeps.
void chooseRecordings(std::vector<Run>& runs, const State& state,
                      const std::function<bool(const Measurement&)>& needsTrace);

/// The mean duration of finished runs whose duration is known, times `runs`; 0 when none is known.
double secondsFor(std::size_t runs, const State& state);

}  // namespace holos::campaign
