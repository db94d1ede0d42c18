// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "tracing/recordings/archive/account/result.h"
#include "tracing/recordings/archive/folder/folder_lock.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"

/// Makes a trace of what the preloaded library left of a run.
namespace holos::archive {

class Helpers;

/// Makes `kProfileFile` in a folder that has the definitions of an archive, of what its run added up.
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
/// but the first have the same in folders of their own (`folder/job_folders.h`).
///
/// `helpers`: other processes that translate a part of the events, of whose number the trace is independent.
Result finish(const fs::path& directory, Check check = Check::Everybody, const MakeProfile& makeProfile = {},
              const Tell& tell = {}, Helpers* helpers = nullptr);

/// Removes a recording to which no process has written anything, and `directory` where it holds nothing else.
/// False, and nothing is removed, where one has.
bool removeEmpty(const fs::path& directory);

}  // namespace holos::archive
