// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/folder.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "tracing/recordings/archive/commit.h"
#include "tracing/recordings/archive/ownership.h"

namespace holos::campaign {

namespace fs = std::filesystem;

namespace {

/// `run-01`, `run-01.txt`, …
bool isOfARun(std::string_view name) {
    constexpr std::string_view kBegin = "run-";
    constexpr std::string_view kEndings[] = {"", ".txt", ".status", ".refused.json", ".sh"};
    if (!name.starts_with(kBegin)) return false;
    name.remove_prefix(kBegin.size());
    const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
    return digits > 0 && std::ranges::find(kEndings, name.substr(digits)) != std::end(kEndings);
}

/// The first one, by which the others are known, is removed last.
constexpr const char* kNames[] = {kStateFile,     kSpecificationFile, kResultFile,
                                  kDeviationFile, kVariationFile,     kMultiplexingFile};

bool isOfACampaign(const std::string& name) {
    return isOfARun(name) || std::ranges::find(kNames, name) != std::end(kNames);
}

constexpr const char* kEndingsOfFiles[] = {".txt", ".status", ".refused.json", ".sh"};

/// The names of a run's folder and of its files that there are.
std::vector<std::string> namesOf(const fs::path& folder, const std::string& run) {
    std::vector<std::string> names;
    if (archive::isThere(folder / run)) names.push_back(run);
    for (const char* ending : kEndingsOfFiles)
        if (archive::isThere(folder / (run + ending))) names.push_back(run + ending);
    return names;
}

[[noreturn]] void refuse(const fs::path& folder, const std::vector<std::string>& names) {
    throw Error(
        "has " + archive::listed(names) +
            ", which no campaign is known to have made, where this one has to write: move that away, or give "
            "another folder with -o",
        {.file = folder.string()});
}

/// Throws Error where a run's folder has something in it that a recording would have to replace.
void refuseOthersFilesOfRun(const fs::path& folder, const std::string& run) {
    const bool isOther =
        archive::isThere(folder / run) && !fs::is_directory(fs::symlink_status(folder / run));
    if (isOther) refuse(folder, {run});
    if (const auto found = archive::inTheWay(folder / run); !found.others.empty())
        refuse(folder / run, found.others);
}

}  // namespace

/// The kernel drops the lock with the program. A file system without locks has none to offer.
CampaignLock::CampaignLock(const fs::path& folder) try {
    lock_.emplace(folder, ".holos-campaign-lock");
} catch (const archive::Locked& error) {
    throw Error("another holos campaign works in this folder now; wait for it, or give another with -o (" +
                    error.message() + ')',
                {.file = folder.string()});
}

void refuseOthersFiles(const fs::path& folder, const State* earlier) {
    const std::set<std::string> runs = earlier != nullptr ? runsOf(*earlier) : std::set<std::string>();
    std::vector<std::string> others;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none)) {
        const std::string name = entry.path().filename().string();
        const bool isKnown =
            earlier != nullptr && (!isOfARun(name) || runs.contains(name.substr(0, name.find('.'))));
        if (isOfACampaign(name) && !isKnown) others.push_back(name);
    }
    std::ranges::sort(others);
    if (!others.empty()) refuse(folder, others);
}

void removeCampaign(const fs::path& folder, const State& earlier) {
    const std::set<std::string> runs = runsOf(earlier);
    for (const std::string& run : runs) refuseOthersFilesOfRun(folder, run);
    for (const std::string& run : runs) removeRun(folder, run);
    for (auto name = std::rbegin(kNames); name != std::rend(kNames); ++name) fs::remove(folder / *name);
}

void requireFree(const fs::path& folder, const Run& run) {
    if (const auto names = namesOf(folder, run.name); !names.empty()) refuse(folder, names);
}

void removeRun(const fs::path& folder, const std::string& run) {
    refuseOthersFilesOfRun(folder, run);
    if (archive::isThere(folder / run)) {
        archive::settleLeftovers(folder / run);
        archive::removeMeasurement(folder / run);
        std::error_code isNotEmpty;
        fs::remove(folder / run, isNotEmpty);
    }
    for (const char* ending : kEndingsOfFiles) fs::remove(folder / (run + ending));
}

}  // namespace holos::campaign
