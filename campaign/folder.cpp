// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/folder.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/error.h"

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

bool isOfACampaign(const std::string& name) {
    constexpr std::string_view kNames[] = {kStateFile,     kSpecificationFile, kResultFile,
                                           kDeviationFile, kVariationFile,     kMultiplexingFile};
    return isOfARun(name) || std::ranges::find(kNames, name) != std::end(kNames);
}

std::vector<fs::path> filesOfACampaign(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none))
        if (isOfACampaign(entry.path().filename().string())) found.push_back(entry.path());
    return found;
}

}  // namespace

/// The kernel drops the lock with the program. A file system without locks has none to offer.
CampaignLock::CampaignLock(const fs::path& folder)
    : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    const Place place{.file = folder.string()};
    if (!folder_) throw Error(std::string("cannot be opened: ") + std::strerror(errno), place);
    if (::flock(folder_.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        throw Error("another holos campaign works in this folder now; wait for it, or give another with -o",
                    place);
}

void refuseForeignResults(const fs::path& folder) {
    const auto found = filesOfACampaign(folder);
    if (found.empty()) return;
    throw Error("has results of a campaign, such as " + found.front().filename().string() + ", but no " +
                    kStateFile + " to go on with; give another folder with -o, or --force to replace them",
                {.file = folder.string()});
}

void removeCampaign(const fs::path& folder) {
    for (const fs::path& file : filesOfACampaign(folder)) fs::remove_all(file);
}

}  // namespace holos::campaign
