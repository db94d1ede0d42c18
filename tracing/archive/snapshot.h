// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/archive/commit.h"
#include "tracing/archive/folder_lock.h"

namespace holos::archive {

/// A trace of what a recording holds at a moment, while processes go on with it: made from a copy, and
/// removed with the object. Others that want to change what is in the folder wait meanwhile.
class Snapshot {
  public:
    /// Throws `Error` where there is no recording, or no room for the copy in its folder.
    explicit Snapshot(const fs::path& directory);

    /// The folder of the trace.
    const fs::path& path() const { return copy_.path(); }
    /// Processes that go on.
    std::size_t living() const { return living_; }
    /// Processes of which it is not known whether they do.
    std::size_t unknown() const { return unknown_; }

  private:
    FolderLock lock_;
    Scratch copy_;
    std::size_t living_ = 0;
    std::size_t unknown_ = 0;
};

}  // namespace holos::archive
