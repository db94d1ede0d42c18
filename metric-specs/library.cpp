// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <set>

#include "base/error.h"
#include "base/input_file.h"
#include "base/suggest.h"
#include "base/wrong_request.h"
#include "metric-specs/problems.h"

namespace holos::specs {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".spec";
/// The largest files known have a few hundred lines.
constexpr std::uint64_t kLargestFile = 4U << 20;

/// The program or shared library that this code is linked into.
fs::path ownFile() {
    Dl_info info{};
    std::error_code trouble;
    const bool found =
        dladdr(reinterpret_cast<const void*>(&platformFolders), &info) != 0 && info.dli_fname != nullptr;
    const fs::path name = found ? info.dli_fname : "";
    if (name.extension() == ".so") return fs::canonical(name, trouble);
    return fs::read_symlink("/proc/self/exe", trouble);
}

void addIfFolder(std::vector<fs::path>& folders, const fs::path& folder) {
    std::error_code trouble;
    if (fs::is_directory(folder, trouble)) folders.push_back(folder.lexically_normal());
}

bool isFile(const fs::path& path) {
    std::error_code trouble;
    return fs::is_regular_file(path, trouble);
}

std::string readSpecification(const fs::path& path) {
    return readText(path, kLargestFile, "a specification");
}

/// A path is relative to the file that includes it; a name is looked for beside it first.
SourceText readIncluded(const std::string& name, const std::string& from) {
    const fs::path folder = fs::path(from).parent_path();
    const bool isPath = name.find('/') != std::string::npos || std::string_view(name).ends_with(kSuffix);
    const fs::path beside = (folder / (isPath ? name : name + std::string(kSuffix))).lexically_normal();
    const fs::path found = isPath || isFile(beside) ? beside : locate(name);
    return {found.string(), readSpecification(found)};
}

}  // namespace

std::vector<fs::path> platformFolders() {
    std::vector<fs::path> folders;
    if (const char* list = std::getenv("HOLOS_SPECS_PATH")) {
        std::string_view rest = list;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(':'), rest.size());
            if (end > 0) addIfFolder(folders, fs::path(rest.substr(0, end)));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    const fs::path home = ownFile().parent_path();
    // Libraries may lie deeper than a program: lib/x86_64-linux-gnu, lib/python3/dist-packages/holos.
    for (const char* up : {"..", "../..", "../../..", "../../../.."})
        addIfFolder(folders, home / up / "share" / "holos" / "platforms");
    return folders;
}

std::vector<std::string> platforms() {
    std::set<std::string> names;
    for (const fs::path& folder : platformFolders()) {
        std::error_code trouble;
        for (fs::directory_iterator at(folder, trouble), end; !trouble && at != end; at.increment(trouble))
            if (at->path().extension() == kSuffix && isFile(at->path()))
                names.insert(at->path().stem().string());
    }
    return {names.begin(), names.end()};
}

fs::path locate(std::string_view nameOrPath) {
    if (nameOrPath.find('/') != std::string_view::npos || nameOrPath.ends_with(kSuffix))
        return fs::path(nameOrPath);
    std::string searched;
    for (const fs::path& folder : platformFolders()) {
        const fs::path path = folder / (std::string(nameOrPath) + std::string(kSuffix));
        if (isFile(path)) return path;
        searched += (searched.empty() ? "" : ", ") + folder.string();
    }
    throw WrongRequest("there is no platform specification " + inQuotes(nameOrPath) + " in " +
                       (searched.empty() ? "HOLOS_SPECS_PATH or beside the program" : searched) +
                       "; expected a name or the path of a file" + didYouMean(nameOrPath, platforms()));
}

Specification load(const fs::path& path) {
    return parse(readSpecification(path), path.lexically_normal().string(), readIncluded);
}

Specification find(std::string_view nameOrPath) {
    return load(locate(nameOrPath));
}

std::optional<Specification> findFor(const Processor& processor) {
    for (const std::string& name : platforms()) {
        try {
            Specification found = find(name);
            if (found.platform && found.platform->matches(processor)) return found;
        } catch (const Error&) {
            continue;
        }
    }
    return std::nullopt;
}

}  // namespace holos::specs
