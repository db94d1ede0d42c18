// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "tracing/archive/archive.h"
#include "tracing/archive/plan.h"
#include "tracing/core/chosen_instances.h"
#include "tracing/filter/filter.h"

namespace holos::archive {

/// The part of the run that was asked for; empty texts and 0 where that was all.
struct Part {
    std::string ranks;
    std::int64_t first = 0;  ///< nanoseconds
    std::string phase;       ///< name of user regions
    std::string tracePhase;  ///< of user regions of which some are in the trace, beside a profile of all
    tracing::ChosenInstances traced;  ///< which of them
    std::string mpi;                  ///< groups of functions
    std::uint64_t buffer = 0;         ///< bytes of events of each thread
    std::string whenFull;             ///< `stop` or `newest`
};

/// What `holos record` knows when it starts a program, kept beside the recording until `measurement.json` is
/// made.
struct Command {
    std::vector<std::string> arguments;  ///< the command line behind `--`
    bool keepsSecrets = false;           ///< of command lines, instead of masking them
    std::vector<std::string> counters;
    std::string workingDirectory;
    std::string counterSet;            ///< name of the measurement set, or empty
    std::string specification;         ///< where the set is from, or empty
    fs::path filter;                   ///< file that says what is left out, or empty
    std::vector<std::string> sampled;  ///< those of the counters that are read by time
    std::int64_t sampleInterval = 0;   ///< nanoseconds
    bool profile = false;              ///< it adds up
    bool trace = true;                 ///< it records events
    bool compensated = false;          ///< the counts do not contain what reading the counters counts
    std::string callStacks;            ///< what samples of the call stack are taken by, or empty
    fs::path openMpRuntime;            ///< that programs of gcc were to run with; empty: their own
    std::int64_t clockInterval = 0;  ///< nanoseconds between comparisons of clocks; 0: at start and end only
    Part part;
    std::vector<std::uint64_t> attached = {};  ///< processes that ran already, seen from outside
};

/// Copies the filter to `DIR/recording/filter` and writes `DIR/recording/command.json` when no other `holos
/// record` of the same run has, and what this host's hardware is (`saveHardware`). Creates the folders.
/// Throws `Error`.
void saveCommand(const fs::path& directory, const Command& command);

/// The filter of a recording; empty where it has none.
filter::Filter savedFilter(const fs::path& recording);

/// Whether the threads of a recording write over their oldest events.
bool keepsNewest(const fs::path& recording);

/// Whether a trace is to be made of a recording, and not only a profile.
bool keepsEvents(const fs::path& recording);

/// Whether command lines are kept with what looks like a secret.
bool keepsSecrets(const fs::path& recording);

/// The id of the run that `measurement.json` in a folder is of; empty where it says nothing.
std::string recordedRun(const fs::path& folder);

/// What was asked for of the run and did not occur in it, in sentences: ranks that there are not, a phase
/// that was not entered.
std::vector<std::string> missedParts(const fs::path& recording, const TracePlan& plan);

/// Why no process recorded, as far as the command tells.
std::string whyNothingWasRecorded(const fs::path& recording);

/// Why the machine's measured peaks are not known, in a sentence; empty where they are, or none were stored.
std::string missedPeaks(const fs::path& recording);

/// Writes `measurement.json` into `folder`: hosts, processors, clock, command, environment, counters,
/// versions, where threads ran, lost events, and what is missing.
void writeMeasurement(const fs::path& folder, const fs::path& recording, const TracePlan& plan,
                      const Result& result);

}  // namespace holos::archive
