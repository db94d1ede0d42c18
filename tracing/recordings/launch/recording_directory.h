// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "tracing/recordings/archive/folder/folder_lock.h"
#include "tracing/recordings/archive/folder/living.h"
#include "tracing/recordings/archive/folder/run_identity.h"

namespace holos::launch {

/// What a launcher such as mpirun says of this process in the environment.
struct LaunchedRank {
    long rank = 0;
    long size = 1;
    archive::Job job;
};

/// Nothing when no launcher started this process.
std::optional<LaunchedRank> launchedRank();

/// A folder with an empty recording, or one that other ranks of the job have begun.
struct PreparedRecording {
    std::filesystem::path directory;
    std::string run;                 ///< its id
    archive::LivingCommand command;  ///< this one
};

/// Makes the folder when it is missing; `asked` may be empty for the default. Throws `Error` when it holds
/// another measurement (unless `force`, which removes that), or something else where a measurement has its
/// parts; when that is still being recorded, or when it cannot be made. `tell`: whom it waits for.
PreparedRecording prepareRecording(const std::string& asked, const std::filesystem::path& program,
                                   const std::optional<LaunchedRank>& rank, bool force,
                                   const archive::Tell& tell = {});

/// Says that this rank's program ended; true for the last one, which makes the trace of all. Always true
/// without a launcher. When a rank never ends (killed with its command), none is the last: `holos analyze`
/// makes the trace then.
bool isLastRank(const std::filesystem::path& directory, const std::optional<LaunchedRank>& rank);

}  // namespace holos::launch
