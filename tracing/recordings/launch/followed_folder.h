// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

#include "base/descriptor.h"

namespace holos::launch {

/// A folder that somebody may move to another place.
class FollowedFolder {
  public:
    /// Throws `Error` where it cannot be opened.
    explicit FollowedFolder(std::filesystem::path folder);

    /// Where it is now: as it was given at first, where it is still there, or else its new path. Throws
    /// `Error` where it was removed, or copied to another disk and removed.
    std::filesystem::path now() const;

    /// A path that leads to it wherever it is, for processes of this machine as long as this one lives.
    std::string link() const;

  private:
    std::filesystem::path folder_;
    Descriptor descriptor_;
};

}  // namespace holos::launch
