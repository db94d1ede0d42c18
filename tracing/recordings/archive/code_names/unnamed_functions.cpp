// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/code_names/unnamed_functions.h"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

namespace holos::archive {
namespace {

constexpr std::size_t kFew = 4;
constexpr std::size_t kMostFiles = 3;

bool isOfSystem(const std::string& file) {
    return file.starts_with("/usr/") || file.starts_with("/lib");
}

}  // namespace

std::string howToNameFunctions(const std::map<std::string, std::size_t>& unnamed, std::size_t all) {
    std::vector<std::pair<std::size_t, std::string>> files;
    std::size_t count = 0;
    for (const auto& [file, functions] : unnamed) {
        files.emplace_back(functions, file);
        count += functions;
    }
    if (count <= kFew || count < all - count) return {};
    std::ranges::stable_sort(files, [](const auto& a, const auto& b) { return a.first > b.first; });
    const std::size_t others = files.size() - std::min(files.size(), kMostFiles);
    files.resize(files.size() - others);

    std::string text = std::to_string(count) + " of " + std::to_string(all) +
                       " functions on call paths have no name: those of ";
    for (std::size_t i = 0; i < files.size(); ++i)
        text += (i > 0 ? ", " : "") + std::filesystem::path(files[i].second).filename().string() + " (" +
                std::to_string(files[i].first) + ')';
    if (others > 0) text += " and " + std::to_string(others) + (others == 1 ? " other file" : " other files");
    const auto ofSystem = [](const auto& one) { return isOfSystem(one.second); };
    const bool isPackaged = std::ranges::any_of(files, ofSystem);
    const bool isOwn = !std::ranges::all_of(files, ofSystem);
    text += ". Names come with";
    if (isPackaged)
        text += " debug packages (Debian: PACKAGE-dbgsym, after `dpkg -S FILE`; Fedora: debuginfo-install)";
    if (isOwn) text += isPackaged ? ", or" : "";
    if (isOwn) text += " programs that are built with -g and not stripped";
    return text + ", before the trace is made";
}

}  // namespace holos::archive
