// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>

namespace holos {

/// Where large files that nobody keeps are to be: the folder that `TMPDIR` names, or `/var/tmp`. Not beside a
/// recording, whose room they would take.
std::filesystem::path placeOfTemporaries();

/// An empty folder of this process, removed with the object. The next one in the same place removes those of
/// processes that were killed: the kernel keeps a folder locked as long as its process lives.
class TemporaryFolder {
  public:
    /// In `place`. Throws `Error` where none can be made there.
    explicit TemporaryFolder(const std::filesystem::path& place);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

  private:
    void make(const std::filesystem::path& place);

    std::filesystem::path path_;
    int file_ = -1;
};

}  // namespace holos
