// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "tracing/filter/filter.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/measurement/measurement.h"

/// What a recording keeps of the command that made it.
namespace holos::archive {

/// Copies the filter to `DIR/recording/filter` and writes `DIR/recording/command.json` when no other `holos
/// record` of the same run has, with this host and its environment, and what its hardware is
/// (`saveHardware`). Creates the folders. Throws `Error`.
void saveCommand(const fs::path& directory, measurement::Command command);

/// The filter of a recording; empty where it has none.
filter::Filter savedFilter(const fs::path& recording);

/// Whether the threads of a recording write over their oldest events.
bool keepsNewest(const fs::path& recording);

/// Whether a trace is to be made of a recording, and not only a profile.
bool keepsEvents(const fs::path& recording);

/// Whether command lines are kept with what looks like a secret.
bool keepsSecrets(const fs::path& recording);

/// Throws why no process recorded, as far as the command tells: `NeverRecorded` where its program is of a
/// kind that is not. `goesOn`: it may still come.
[[noreturn]] void throwThatNothingWasRecorded(const fs::path& recording, bool goesOn);

/// Why the machine's measured peaks are not known, in a sentence; empty where they are, or none were stored.
std::string missedPeaks(const fs::path& recording);

}  // namespace holos::archive
