// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/attach/foreign_files.h"

#include <sys/stat.h>

#include <system_error>
#include <utility>

namespace holos::attach {
namespace {

namespace fs = std::filesystem;

/// Where a link of the kernel leads, for this process and another one. Equal where that cannot be seen.
bool isEqual(const fs::path& link, const fs::path& other) {
    std::error_code error;
    const fs::path mine = fs::read_symlink(link, error);
    const fs::path theirs = error ? fs::path() : fs::read_symlink(other, error);
    return error || mine == theirs;
}

/// What tells files of this machine apart; empty where there is none.
std::string identityOf(const fs::path& file) {
    struct stat facts {};
    if (::stat(file.c_str(), &facts) != 0) return {};
    return std::to_string(facts.st_dev) + '-' + std::to_string(facts.st_ino);
}

}  // namespace

ForeignFiles::ForeignFiles(pid_t process, fs::path folder) : folder_(std::move(folder)) {
    const fs::path self = "/proc/self", other = "/proc/" + std::to_string(process);
    const bool seesTheSame =
        isEqual(self / "ns" / "mnt", other / "ns" / "mnt") && isEqual(self / "root", other / "root");
    if (!seesTheSame) root_ = other / "root";
}

std::string ForeignFiles::find(const std::string& path) {
    if (root_.empty() || path.empty() || path.front() != '/') return path;
    const auto [known, isNew] = known_.try_emplace(path);
    if (isNew) known->second = copied(path);
    return known->second;
}

/// The kernel may also have told the path as this process sees it.
std::string ForeignFiles::copied(const std::string& path) {
    const fs::path source = root_ / path.substr(1);
    std::error_code error;
    const std::string identity = identityOf(source);
    if (!fs::is_regular_file(source, error) || identity == identityOf(path)) return path;
    const fs::path copy = folder_ / identity / source.filename();
    fs::create_directories(copy.parent_path(), error);
    if (!fs::exists(copy, error)) fs::copy_file(source, copy, error);
    return error ? path : copy.string();
}

}  // namespace holos::attach
