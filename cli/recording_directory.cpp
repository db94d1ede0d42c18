// SPDX-License-Identifier: BSD-3-Clause
#include "cli/recording_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>

#include "metric-specs/error.h"
#include "tracing/archive/archive.h"

namespace holos::cli {
namespace {

namespace fs = std::filesystem;

/// Ranks of a job start at different seconds, so their common name comes from the job.
fs::path commonDirectory(const std::string& prefix, const LaunchedRank& rank) {
    char digits[16];
    std::snprintf(digits, sizeof digits, "%08zx", std::hash<std::string>{}(rank.job) & 0xFFFFFFFFu);
    fs::create_directories(prefix + digits);
    return prefix + digits;
}

/// Named after the time; the second one of the same second ends with -2.
fs::path newDirectory(const std::string& prefix) {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    ::localtime_r(&now, &local);
    char time[32] = {};
    std::strftime(time, sizeof time, "%Y%m%d-%H%M%S", &local);
    std::string name = prefix + time;
    for (unsigned i = 2; !fs::create_directory(name); ++i) name = prefix + time + '-' + std::to_string(i);
    return name;
}

fs::path createDirectory(const std::string& asked, const fs::path& program,
                         const std::optional<LaunchedRank>& rank) {
    if (asked.empty()) {
        const std::string prefix = "holos-" + program.filename().string() + '-';
        return rank ? commonDirectory(prefix, *rank) : newDirectory(prefix);
    }
    fs::create_directories(asked);
    return asked;
}

std::string jobName(const std::optional<LaunchedRank>& rank) {
    return rank && !rank->job.empty() ? rank->job : "process " + std::to_string(::getpid());
}

/// One rank at a time looks at the folder and prepares it.
class DirectoryLock {
  public:
    explicit DirectoryLock(const fs::path& directory)
        : file_(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
        if (file_ < 0) throw Error(std::strerror(errno), {.file = directory.string()});
        while (::flock(file_, LOCK_EX) != 0 && errno == EINTR) continue;
    }
    ~DirectoryLock() { ::close(file_); }
    DirectoryLock(const DirectoryLock&) = delete;
    DirectoryLock& operator=(const DirectoryLock&) = delete;

  private:
    int file_;
};

std::string ownerOf(const fs::path& file) {
    std::ifstream in(file);
    std::string job;
    std::getline(in, job);
    return job;
}

void removeOld(const fs::path& directory) {
    for (const char* name : {"traces.otf2", "traces.def", "traces", "measurement.json", "recording"})
        fs::remove_all(directory / name);
}

}  // namespace

fs::path prepareDirectory(const std::string& asked, const fs::path& program,
                          const std::optional<LaunchedRank>& rank, bool force) try {
    const fs::path directory = createDirectory(asked, program, rank);
    const DirectoryLock lock(directory);
    const fs::path recording = archive::recordingOf(directory);
    const fs::path owner = recording / "job";
    const std::string job = jobName(rank);
    const bool ours = fs::exists(owner) && ownerOf(owner) == job;
    if (!ours && (fs::exists(directory / "traces.otf2") || fs::exists(recording))) {
        if (!force)
            throw Error("holds another measurement; give another folder with -o, or --force to replace it",
                        {.file = directory.string()});
        removeOld(directory);
    }
    fs::create_directories(recording);
    if (!ours) std::ofstream(owner) << job << '\n';
    return directory;
} catch (const fs::filesystem_error& error) {
    throw Error(error.code().message(), {.file = error.path1().string()});
}

/// Ranks that ended are counted in a tree of folders: the last one of a group counts for it in the group
/// above. So nobody reads a list of all ranks.
bool isLastRank(const fs::path& directory, const std::optional<LaunchedRank>& rank) {
    if (!rank || rank->size <= 1) return true;
    constexpr long kGroup = 64;
    fs::path level = archive::recordingOf(directory) / "ended";
    long members = rank->size;
    for (long member = rank->rank;; member /= kGroup) {
        const long group = member / kGroup;
        const fs::path folder = level / std::to_string(group);
        std::error_code error;
        fs::create_directories(folder, error);
        std::ofstream(folder / ("rank." + std::to_string(member))) << '\n';
        const long ended = std::distance(fs::directory_iterator(folder, error), fs::directory_iterator());
        if (ended < std::min(kGroup, members - group * kGroup)) return false;
        if (members <= kGroup) return true;
        members = (members + kGroup - 1) / kGroup;
        level /= "above";
    }
}

}  // namespace holos::cli
