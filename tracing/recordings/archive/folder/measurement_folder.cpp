// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/folder/measurement_folder.h"

#include "base/json.h"
#include "tracing/recordings/archive/folder/commit.h"
#include "tracing/recordings/archive/folder/folder_lock.h"
#include "tracing/recordings/archive/folder/ownership.h"

namespace holos::archive {

fs::path recordingOf(const fs::path& directory) {
    return directory / "recording";
}

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

std::string recordedRun(const fs::path& folder) {
    return textIn(readObject(folder / "measurement.json"), "run");
}

std::size_t recordedFurtherJobs(const fs::path& folder) {
    const nlohmann::json facts = readObject(folder / "measurement.json");
    const auto found = facts.find("furtherJobs");
    return found != facts.end() && found->is_number_unsigned() ? found->get<std::size_t>() : 0;
}

}  // namespace holos::archive
