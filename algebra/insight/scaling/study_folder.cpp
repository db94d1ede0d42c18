// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/scaling/study_folder.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace holos::algebra::scaling {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kFolderName = "size-";
constexpr const char* kAnalysis = "analysis.cubex";

/// Folders below this one; none where it cannot be read.
std::vector<fs::path> foldersIn(const fs::path& folder) {
    std::vector<fs::path> folders;
    std::error_code failure;
    for (fs::directory_iterator at(folder, failure), end; !failure && at != end; at.increment(failure))
        if (std::error_code ignored; at->is_directory(ignored)) folders.push_back(at->path());
    std::ranges::sort(folders);
    return folders;
}

}  // namespace

fs::path folderOfSize(const fs::path& study, const std::string& size) {
    return study / (std::string(kFolderName) + size);
}

std::optional<double> sizeOfFolder(const fs::path& folder) {
    const std::string name = folder.filename().string();
    if (!name.starts_with(kFolderName)) return std::nullopt;
    const std::string size = name.substr(kFolderName.size());
    const bool isNumber =
        std::ranges::all_of(size, [](unsigned char letter) { return std::isdigit(letter) != 0; });
    constexpr std::size_t kMostDigits = 15;  // all of which a double keeps
    if (!isNumber || size.empty() || size.front() == '0' || size.size() > kMostDigits) return std::nullopt;
    return std::stod(size);
}

std::vector<fs::path> foldersOfSizes(const fs::path& study) {
    std::vector<fs::path> folders = foldersIn(study);
    std::erase_if(folders, [](const fs::path& folder) { return !sizeOfFolder(folder); });
    std::ranges::stable_sort(
        folders, [](const fs::path& a, const fs::path& b) { return *sizeOfFolder(a) < *sizeOfFolder(b); });
    return folders;
}

std::optional<double> sizeOfRun(const fs::path& experiment) {
    for (fs::path folder = experiment.parent_path(); folder.has_filename(); folder = folder.parent_path())
        if (const auto size = sizeOfFolder(folder)) return size;
    return std::nullopt;
}

std::vector<fs::path> experimentsOfSizes(const fs::path& study) {
    std::vector<fs::path> experiments;
    for (const fs::path& size : foldersOfSizes(study))
        for (const fs::path& run : foldersIn(size))
            if (std::error_code ignored; fs::is_regular_file(run / kAnalysis, ignored))
                experiments.push_back(run / kAnalysis);
    return experiments;
}

}  // namespace holos::algebra::scaling
