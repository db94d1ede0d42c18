// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

namespace holos::archive {

/// Who has a lock.
struct LockOwner {
    std::string text;      ///< `process 17 on node5`, or `process 4711 (sleep), which is not holos`
    bool isHolos = false;  ///< a process that wrote into the file who it is, and lives as far as is known
};

LockOwner ownerOf(const std::filesystem::path& file);

}  // namespace holos::archive
