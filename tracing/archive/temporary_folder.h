// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/archive/archive.h"

namespace holos::archive {

/// An empty folder of this process, removed with the object. The next one in the same place removes those of
/// processes that were killed: the kernel keeps a folder locked as long as its process lives.
class TemporaryFolder {
  public:
    /// In `place`. Throws `Error` where none can be made there.
    explicit TemporaryFolder(const fs::path& place);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const fs::path& path() const { return path_; }

  private:
    void make(const fs::path& place);

    fs::path path_;
    int file_ = -1;
};

}  // namespace holos::archive
