// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace holos::cli {

/// What stands for the size in the command of a study over sizes, and in its template.
inline constexpr const char* kSizeWord = "@SIZE@";

/// Each size and its command: with the number in place of `@SIZE@`; where it has none, of the number behind
/// the launcher's -n, -np, --np or --ntasks; where there is neither, as it is if `isSaidElsewhere`. Throws
/// `UsageError` where it is not, where a size is no number from 1 on, and where it is given twice.
std::vector<std::pair<std::string, std::vector<std::string>>> commandsOfSizes(
    const std::vector<std::string>& command, const std::vector<std::string>& sizes, bool isSaidElsewhere);

/// A text with the number in place of each `@SIZE@`.
std::string withSize(std::string text, const std::string& size);

/// Where the campaign of a size is, below the folder of the study.
std::filesystem::path folderOfSize(const std::filesystem::path& study, const std::string& size);
/// Of such a folder.
double sizeOf(const std::filesystem::path& folder);
/// Those that are there, the smallest size first; none where the folder is no study over sizes.
std::vector<std::filesystem::path> foldersOfSizes(const std::filesystem::path& study);

}  // namespace holos::cli
