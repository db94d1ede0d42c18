// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

#include "cli/command.h"
#include "tracing/recordings/launch/followed_folder.h"
#include "tracing/recordings/launch/program.h"
#include "tracing/recordings/launch/record_request.h"

namespace holos::cli {

/// Adds all but the program and its arguments to the command.
void addOptions(Command& command, launch::RecordRequest& request);

/// Takes what `--like` names as it was recorded, where no option says otherwise. Throws `Error` where that is
/// not known.
void repeatSettings(launch::RecordRequest& request, const Command& command);

/// Records processes that run already (`--attach`), until they end, a signal comes, the time is over or the
/// given command ends, and makes the trace. Throws `UsageError` for options that need the recorder in the
/// program, and `Error` where the kernel does not allow it.
void recordAttached(const launch::RecordRequest& asked, const Command& command);

/// Makes the trace of a recording whose program ended, once no recorded process lives any more, and says what
/// is in it. SIGINT and the like end that and leave the recording. Returns how the command shall end: as the
/// program, but for a trace that cannot be made, which is a failure where the program itself had none.
launch::Ending endRecording(const launch::FollowedFolder& folder, const launch::Ending& ofProgram);

/// A line that says what becomes of a recording without a trace.
std::string whatStays(const std::filesystem::path& directory);

}  // namespace holos::cli
