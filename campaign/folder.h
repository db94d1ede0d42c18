// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>

#include "base/descriptor.h"
#include "campaign/state.h"

namespace holos::campaign {

/// Keeps every other campaign out of a folder while it lives. Throws Error when another one works there now.
class CampaignLock {
  public:
    explicit CampaignLock(const std::filesystem::path& folder);

  private:
    Descriptor folder_;
};

/// Throws Error when the folder has results of a campaign that nothing is known of any more: it would write
/// over them.
void refuseForeignResults(const std::filesystem::path& folder);

/// Removes what campaigns wrote into the folder.
void removeCampaign(const std::filesystem::path& folder);

}  // namespace holos::campaign
