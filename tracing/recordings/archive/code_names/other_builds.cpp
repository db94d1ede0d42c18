// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/code_names/other_builds.h"

#include "tracing/code/debug/debug_files.h"

namespace holos::archive {

bool OtherBuilds::isOther(const std::string& path, const std::string& buildId) {
    const std::scoped_lock lock(mutex_);
    const auto [at, isNew] = here_.try_emplace(path);
    if (isNew) at->second = code::buildIdOf(path);
    if (!at->second || *at->second == buildId) return false;
    found_.insert(path);
    return true;
}

void OtherBuilds::mark(RecordedProcess& process) {
    std::set<std::string> others;
    for (RecordedFile& file : process.loadedFiles) {
        if (file.buildId.empty()) continue;
        const std::string path = file.path.empty() ? process.executable : file.path;
        if (!isOther(path, file.buildId)) continue;
        others.insert(path);
        file.path = path + kMark;
    }
    for (auto& [ref, region] : process.regions)
        if (others.contains(region.object)) region.object += kMark;
}

std::vector<std::string> OtherBuilds::notes() const {
    std::vector<std::string> notes;
    for (const std::string& path : found_)
        notes.push_back(
            path +
            " is not the build that ran: its functions have no names, as those of this file would be "
            "wrong ones. Was it compiled anew meanwhile, or is it another one on that node?");
    return notes;
}

}  // namespace holos::archive
