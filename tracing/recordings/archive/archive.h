// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/run_profile.h"

/// Makes a trace of what the preloaded library left of a run.
namespace holos::archive {

namespace fs = std::filesystem;

/// Something that holds of every run that is recorded completely, and whether it holds of this one.
struct Law {
    std::string name;  ///< one of those that `laws.h` lists
    bool holds = true;
    std::string says;  ///< with the numbers
};

struct Result {
    std::uint64_t events = 0;
    std::uint64_t lostEvents = 0;
    bool lossIsUnknown = false;  ///< more than `lostEvents` may be missing
    /// Folders of processes of which records were lost after they had been written.
    std::vector<fs::path> incomplete;
    std::size_t processes = 0;
    std::size_t locations = 0;
    /// What is missing or was assumed, in sentences; empty for a run without trouble. Also in
    /// `measurement.json`.
    std::vector<std::string> notes;
    /// What was added up; nothing where only events were recorded.
    std::optional<RunProfile> profile;
    /// That threads moved between cores while they were recorded, in a sentence; empty when none did.
    std::string moves;
    /// How the processes ended, in a sentence.
    std::string ends;
    bool endedWell = true;   ///< all of them in order, with exit code 0
    std::vector<Law> laws;   ///< as far as they are known; of a snapshot few
    std::string notChecked;  ///< a sentence about laws that could not be checked; empty where all could
    /// How many MPI jobs the run had besides this one; 0 for all but the first.
    std::size_t numberOfFurtherJobs = 0;
    /// Of those; their traces are in `job-2` and so on (`jobs.h`).
    std::vector<Result> furtherJobs;
};

/// Takes a sentence for the user.
using Tell = std::function<void(const std::string&)>;

/// The raw recording of a measurement, `DIR/recording`.
fs::path recordingOf(const fs::path& directory);

/// True when `directory` holds a recording that is not yet a trace, or whose trace is there while the
/// recording was not yet removed.
bool needsFinish(const fs::path& directory);

/// True when there is nothing to do for `finish`, nor left to clear away by a process that was killed.
bool isFinished(const fs::path& directory);

/// A recording that somebody still works on.
class StillRecorded : public Error {
  public:
    using Error::Error;
};

/// Programs that are never recorded ran, and no others.
class NeverRecorded : public Error {
  public:
    using Error::Error;
};

/// What a run that added up leaves.
inline constexpr const char* kProfileFile = "profile.cubex";

/// Whether the run in this folder was added up and left no trace.
bool hasOnlyProfile(const fs::path& directory);

/// Makes that file in a folder that has the definitions of an archive, of what its run added up.
using MakeProfile = std::function<void(const fs::path& folder, const Result& result)>;

/// Whose end is looked for before a trace is made. Without looking, all that others still record is lost.
enum class Check {
    Everybody,        ///< recorded processes, also those of which nothing is known here, and `holos record`
                      ///< commands
    LivingProcesses,  ///< recorded processes that are known to live
    Nobody
};

/// Converts `DIR/recording` to `DIR/traces.otf2` with its files and `DIR/measurement.json`, and removes the
/// recording. The new files appear only when they are complete. Another process that converts the same
/// recording is waited for (`FolderLock`); what it did is not done again. What a killed one left is cleared
/// away. Throws `StillRecorded` where somebody works on the recording, and `Error` when nothing was recorded,
/// the recording cannot be read or the trace cannot be written; the recording stays then. Of a run that only
/// added up, `DIR/profile.cubex` and `DIR/measurement.json` are made and no trace. Of several MPI jobs all
/// but the first have the same in folders of their own (`jobs.h`).
Result finish(const fs::path& directory, Check check = Check::Everybody, const MakeProfile& makeProfile = {},
              const Tell& tell = {});

/// Removes a recording to which no process has written anything, and `directory` where it holds nothing else.
/// False, and nothing is removed, where one has.
bool removeEmpty(const fs::path& directory);

}  // namespace holos::archive
