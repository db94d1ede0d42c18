// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/memory_room.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>

#include "tracing/recordings/format/record.h"

namespace holos::tracing::core {
namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

/// The begin of a small file of the kernel.
class Text {
  public:
    Text(const char* root, const char* folder, const char* name) noexcept {
        char path[PATH_MAX];
        const int length = std::snprintf(path, sizeof path, "%s%s%s", root, folder, name);
        if (length < 0 || length >= static_cast<int>(sizeof path)) return;
        const int file = ::open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0) return;
        ssize_t more = 0;
        while (size_ + 1 < sizeof text_ && (more = ::read(file, text_ + size_, sizeof text_ - 1 - size_)) > 0)
            size_ += static_cast<std::size_t>(more);
        ::close(file);
        text_[size_] = '\0';
    }

    char* begin() noexcept { return text_; }

    /// Nothing where it does not begin with a number, as with `max`.
    std::optional<std::uint64_t> number() const noexcept { return numberAt(text_); }
    /// What stands behind a word at the begin of a line.
    std::optional<std::uint64_t> numberOf(const char* word) const noexcept {
        const std::size_t length = std::strlen(word);
        for (const char* line = text_; line != nullptr && *line != '\0';) {
            if (std::strncmp(line, word, length) == 0) return numberAt(line + length);
            line = std::strchr(line, '\n');
            if (line != nullptr) ++line;
        }
        return std::nullopt;
    }

  private:
    static std::optional<std::uint64_t> numberAt(const char* text) noexcept {
        char* end = nullptr;
        const std::uint64_t number = std::strtoull(text, &end, 10);
        return end != text ? std::optional(number) : std::nullopt;
    }

    char text_[8192] = {};
    std::size_t size_ = 0;
};

/// How a version of control groups names things.
struct Version {
    const char* groups;
    const char* limit;
    const char* used;
    const char* files;   ///< of `memory.stat`: what is kept of files
    const char* shared;  ///< of these what is in no file, as that of a disk in memory
};
constexpr Version kVersion1{"/sys/fs/cgroup/memory", "/memory.limit_in_bytes", "/memory.usage_in_bytes",
                            "total_cache ", "total_shmem "};
constexpr Version kVersion2{"/sys/fs/cgroup", "/memory.max", "/memory.current", "file ", "shmem "};

std::uint64_t freeOfGroup(const char* root, const Version& version, const char* group) noexcept {
    char folder[PATH_MAX];
    std::snprintf(folder, sizeof folder, "%s%s", version.groups, group);
    const auto limit = Text(root, folder, version.limit).number();
    const auto used = Text(root, folder, version.used).number();
    if (!limit || !used) return kUnlimited;
    const Text parts(root, folder, "/memory.stat");
    const std::uint64_t files = parts.numberOf(version.files).value_or(0);
    const std::uint64_t shared = parts.numberOf(version.shared).value_or(0);
    const std::uint64_t kept = *used - std::min(*used, files - std::min(files, shared));
    return *limit - std::min(*limit, kept);
}

/// The group and those around it. A container may see only some of them.
std::uint64_t freeOfGroups(const char* root, const Version& version, char* group) noexcept {
    std::uint64_t least = kUnlimited;
    for (;;) {
        least = std::min(least, freeOfGroup(root, version, std::strcmp(group, "/") == 0 ? "" : group));
        char* const slash = std::strrchr(group, '/');
        if (slash == nullptr || slash[1] == '\0') return least;
        slash[slash == group ? 1 : 0] = '\0';
    }
}

/// `line`: as `4:cpu,memory:/job` or, of version 2, `0::/job`.
std::uint64_t freeOfLine(const char* root, char* line) noexcept {
    char* const names = std::strchr(line, ':');
    char* const group = names != nullptr ? std::strchr(names + 1, ':') : nullptr;
    if (group == nullptr) return kUnlimited;
    *group = '\0';
    if (names[1] == '\0') return freeOfGroups(root, kVersion2, group + 1);
    return std::strstr(names, "memory") != nullptr ? freeOfGroups(root, kVersion1, group + 1) : kUnlimited;
}

}  // namespace

std::uint64_t freeMemory(const char* root) noexcept {
    constexpr std::uint64_t kKilobyte = 1024;
    const auto ofNode = Text(root, "/proc", "/meminfo").numberOf("MemAvailable:");
    std::uint64_t least = ofNode ? *ofNode * kKilobyte : kUnlimited;
    Text groups(root, "/proc/self", "/cgroup");
    for (char* line = groups.begin(); *line != '\0';) {
        char* const end = std::strchr(line, '\n');
        if (end != nullptr) *end = '\0';
        least = std::min(least, freeOfLine(root, line));
        if (end == nullptr) break;
        line = end + 1;
    }
    return least;
}

std::uint64_t processesOfNode() noexcept {
    for (const char* const name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
                                   "SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE", "PALS_LOCAL_SIZE"})
        if (const char* const value = std::getenv(name); value != nullptr)
            if (const auto number = std::strtoull(value, nullptr, 10); number > 0) return number;
    return 1;
}

CopyRoom copyRoomOf(std::uint64_t freeBytes, std::uint64_t processes) noexcept {
    constexpr std::uint64_t kPart = 8;
    constexpr std::uint64_t kLeast = 1U << 20;
    constexpr std::uint64_t kMost = 64U << 20;
    constexpr std::uint64_t kThreads = 64;
    constexpr std::size_t kSmallestChunk = std::max(kUnitBytes, kChunkBytes / 16);
    const std::uint64_t share = freeBytes / kPart / std::max<std::uint64_t>(processes, 1);
    std::size_t chunk = kChunkBytes;
    while (chunk / 4 >= kSmallestChunk && chunk * kThreads > share) chunk /= 4;
    return {static_cast<std::size_t>(std::clamp(share, kLeast, kMost)), chunk};
}

}  // namespace holos::tracing::core
