// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string_view>

#include "tracing/recordings/archive/folder/measurement_folder.h"

namespace holos::archive {

/// Writes a file that nobody reads before it is complete, and that does not have to be on the disk by then.
/// Throws `Error`.
void writePlainFile(const fs::path& path, std::string_view text);

/// What is done to thousands of files. Each of them waits for the disk or for a file server, so many are
/// under way at once, whatever the number of processors.
inline constexpr std::size_t kFilesAtOnce = 16;

/// Calls `work` with each number below `count`, by as many threads. When all have ended, throws what the
/// first call threw that failed; numbers that nobody had begun by then are left out.
void forManyFiles(std::size_t count, const std::function<void(std::size_t)>& work);

/// As `std::filesystem::remove_all`.
void removeAll(const std::filesystem::path& path);
void removeAll(const std::filesystem::path& path, std::error_code& error) noexcept;

/// Until the disk has all files below the folder, and the folder. File systems that cannot do that are left
/// alone. Throws `Error`.
void syncAll(const std::filesystem::path& folder);
/// Syncs one file or folder, without what is in it.
void sync(const std::filesystem::path& path);

}  // namespace holos::archive
