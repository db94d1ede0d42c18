// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace holos::algebra::scaling {

/// Where the runs of a size are, below the folder of a study over sizes: `study/size-4`.
std::filesystem::path folderOfSize(const std::filesystem::path& study, const std::string& size);
/// What such a folder is called after: 4 of `study/size-4`; nothing where it is none.
std::optional<double> sizeOfFolder(const std::filesystem::path& folder);
/// The folders that are there, the smallest size first; none where the folder is no study over sizes.
std::vector<std::filesystem::path> foldersOfSizes(const std::filesystem::path& study);
/// The size of a run that is somewhere below the folder of a size: 4 of `study/size-4/run-1/analysis.cubex`.
std::optional<double> sizeOfRun(const std::filesystem::path& experiment);
/// The analyses of all runs of a study over sizes, by size and then by name.
std::vector<std::filesystem::path> experimentsOfSizes(const std::filesystem::path& study);

}  // namespace holos::algebra::scaling
