// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/archive/archive.h"

namespace holos::archive {

/// While one exists, no other process changes which measurement is in the folder: prepares it, makes its
/// trace, removes the recording. The kernel ends it with the process that holds it, whatever happens to that.
/// The lock is a file in the folder that goes with it. On file systems without locks it does nothing.
class FolderLock {
  public:
    /// Waits for others. Throws `Error` where nothing can be written in the folder.
    explicit FolderLock(const fs::path& directory);
    ~FolderLock();
    static constexpr const char* kName = ".holos-lock";

    FolderLock(FolderLock&&) = delete;

  private:
    bool attempt();

    fs::path path_;
    int file_ = -1;
};

}  // namespace holos::archive
