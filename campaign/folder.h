// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "campaign/state.h"
#include "tracing/recordings/archive/folder_lock.h"

namespace holos::campaign {

/// Keeps every other campaign out of a folder while it lives. Throws Error when another one works there now.
class CampaignLock {
  public:
    explicit CampaignLock(const std::filesystem::path& folder);

  private:
    std::optional<archive::FolderLock> lock_;
};

/// Throws Error where the folder has something of a name that a campaign uses, which `earlier`, the campaign
/// that is there, did not make: it would be written over.
void refuseOthersFiles(const std::filesystem::path& folder, const State* earlier);

/// Removes what the campaign wrote into the folder. Throws Error, before anything is removed, where something
/// else is among it.
void removeCampaign(const std::filesystem::path& folder, const State& earlier);

/// Throws Error where something has the name of the run's folder or of one of its files.
void requireFree(const std::filesystem::path& folder, const Run& run);

/// Removes what an earlier attempt at the run left, but for what is not of Holos. Throws Error where
/// something of that is in the way of the next one.
void removeRun(const std::filesystem::path& folder, const std::string& run);

}  // namespace holos::campaign
