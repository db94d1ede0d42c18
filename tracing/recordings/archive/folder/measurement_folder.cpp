// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/folder/measurement_folder.h"

#include <charconv>
#include <map>
#include <string_view>

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

namespace {

constexpr std::string_view kJob = "job-";

/// 0 of other names.
std::size_t jobOfName(const std::string& name) {
    std::size_t number = 0;
    if (!name.starts_with(kJob)) return 0;
    std::from_chars(name.data() + kJob.size(), name.data() + name.size(), number);
    return name == kJob.data() + std::to_string(number) ? number : 0;
}

}  // namespace

fs::path folderOfJob(const fs::path& directory, std::size_t number) {
    return number == 1 ? directory : directory / (kJob.data() + std::to_string(number));
}

std::vector<fs::path> foldersNamedAsJobs(const fs::path& directory) {
    std::map<std::size_t, fs::path> folders;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(directory, none)) {
        const std::size_t number = jobOfName(entry.path().filename());
        if (number > 1 && fs::is_directory(entry.symlink_status(none))) folders[number] = entry.path();
    }
    std::vector<fs::path> inOrder;
    for (auto& [number, folder] : folders) inOrder.push_back(std::move(folder));
    return inOrder;
}

std::vector<fs::path> foldersOfFurtherJobs(const fs::path& directory) {
    const std::string run = recordedRun(directory);
    if (run.empty()) return {};
    std::vector<fs::path> folders = foldersNamedAsJobs(directory);
    std::erase_if(folders, [&run](const fs::path& folder) { return recordedRun(folder) != run; });
    return folders;
}

fs::path folderOfNewestJob(const fs::path& directory) {
    const std::vector<fs::path> jobs = foldersOfFurtherJobs(directory);
    return jobs.empty() ? directory : jobs.back();
}

std::string missingFurtherJobs(const fs::path& directory) {
    const std::size_t recorded = recordedFurtherJobs(directory);
    const std::size_t there = foldersOfFurtherJobs(directory).size();
    if (there >= recorded) return {};
    const std::size_t missing = recorded - there;
    return std::to_string(missing) + " of them " + (missing == 1 ? "is" : "are") +
           " not there, or without a measurement.json that can be read";
}

std::string whereFurtherJobsAre(const fs::path& path) {
    std::error_code none;
    const fs::path directory = fs::is_directory(path, none) ? path : fs::path(".") / path.parent_path();
    const std::vector<fs::path> jobs = foldersOfFurtherJobs(directory);
    const std::size_t further = std::max(jobs.size(), recordedFurtherJobs(directory));
    if (further == 0) return {};
    std::string text =
        path.string() + ": its run had " + std::to_string(further + 1) + " MPI jobs, and this is the first";
    const auto nameOf = [](const fs::path& job) { return job.lexically_normal().string(); };
    if (further == 1 && !jobs.empty())
        text += "; the other one is in " + nameOf(jobs.front());
    else if (jobs.size() == 1)
        text += "; another one is in " + nameOf(jobs.front());
    else if (!jobs.empty())
        text += "; the others are in " + nameOf(jobs.front()) + " to " + nameOf(jobs.back());
    const std::string missing = missingFurtherJobs(directory);
    return missing.empty() ? text : text + "; " + missing;
}

}  // namespace holos::archive
