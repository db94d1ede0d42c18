// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/folder/measurement_folder.h"

#include "tracing/recordings/archive/folder/commit.h"
#include "tracing/recordings/archive/folder/folder_lock.h"
#include "tracing/recordings/archive/folder/ownership.h"

namespace holos::archive {

bool needsFinish(const fs::path& directory) {
    std::error_code error;
    return fs::is_directory(recordingOf(directory), error);
}

bool isFinished(const fs::path& directory) {
    return !needsFinish(directory) && !hasLeftovers(directory) && !fs::exists(directory / FolderLock::kName);
}

bool hasOnlyProfile(const fs::path& directory) {
    std::error_code none;
    return fs::exists(directory / kProfileFile, none) && !fs::exists(directory / kFilesOfTrace.front(), none);
}

std::size_t recordedFurtherJobs(const fs::path& folder) {
    const auto known = measurement::readMeasurement(folder);
    return known ? known->furtherJobs : 0;
}

}  // namespace holos::archive
