// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tracing/filter/filter.h"
#include "tracing/recordings/archive/facts/record_settings.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/format/chosen_instances.h"

namespace holos::archive {

/// What a recording keeps of the command that made it.

/// What `holos record` knows when it starts a program, kept beside the recording until `measurement.json` is
/// made.
struct Command {
    RecordSettings settings;
    std::vector<std::string> arguments;  ///< the command line behind `--`
    std::vector<std::string> counters;
    std::string workingDirectory;
    std::vector<std::string> sampled;          ///< those of the counters that are read by time
    std::string callStacks;                    ///< what samples of the call stack are taken by, or empty
    fs::path openMpRuntime = {};               ///< that programs of gcc were to run with; empty: their own
    tracing::ChosenInstances traced = {};      ///< instances of the phase that is traced beside a profile
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

/// Throws why no process recorded, as far as the command tells: `NeverRecorded` where its program is of a
/// kind that is not.
[[noreturn]] void throwThatNothingWasRecorded(const fs::path& recording);

/// Why the machine's measured peaks are not known, in a sentence; empty where they are, or none were stored.
std::string missedPeaks(const fs::path& recording);

}  // namespace holos::archive
