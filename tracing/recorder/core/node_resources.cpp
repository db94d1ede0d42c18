// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/node_resources.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>

#include "tracing/recordings/format/record.h"

namespace holos::tracing::core {

KernelText::KernelText(const char* root, const char* folder, const char* name) noexcept {
    const int before = errno;
    char path[PATH_MAX];
    const int length = std::snprintf(path, sizeof path, "%s%s%s", root, folder, name);
    const bool fits = length >= 0 && length < static_cast<int>(sizeof path);
    const int file = fits ? ::open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0) {
        ssize_t more = 0;
        while (size_ + 1 < sizeof text_ && (more = ::read(file, text_ + size_, sizeof text_ - 1 - size_)) > 0)
            size_ += static_cast<std::size_t>(more);
        ::close(file);
    }
    text_[size_] = '\0';
    errno = before;
}

std::optional<std::uint64_t> KernelText::numberOf(const char* word) const noexcept {
    const std::size_t length = std::strlen(word);
    for (const char* line = text_; line != nullptr && *line != '\0';) {
        if (std::strncmp(line, word, length) == 0) return numberAt(line + length);
        line = std::strchr(line, '\n');
        if (line != nullptr) ++line;
    }
    return std::nullopt;
}

std::optional<std::uint64_t> KernelText::numberAt(const char* text) noexcept {
    char* end = nullptr;
    const std::uint64_t number = std::strtoull(text, &end, 10);
    return end != text ? std::optional(number) : std::nullopt;
}

namespace {

/// Of a list such as `cpu,cpuacct`.
bool listHas(const char* list, const char* word) noexcept {
    const std::size_t length = std::strlen(word);
    for (const char* at = list; at != nullptr;) {
        const char* const comma = std::strchr(at, ',');
        const std::size_t size = comma != nullptr ? static_cast<std::size_t>(comma - at) : std::strlen(at);
        if (size == length && std::strncmp(at, word, length) == 0) return true;
        at = comma != nullptr ? comma + 1 : nullptr;
    }
    return false;
}

/// Of one group; without a limit the time is 0, too.
ProcessorLimit limitOf(const char* root, bool isVersion2, const char* group) noexcept {
    constexpr std::uint64_t kThousand = 1000;
    char folder[PATH_MAX];
    std::snprintf(folder, sizeof folder, "/sys/fs/cgroup%s%s", isVersion2 ? "" : "/cpu", group);
    std::optional<std::uint64_t> quota, period;  // microseconds
    if (isVersion2) {
        const KernelText limit(root, folder, "/cpu.max");  // `50000 100000`, or `max 100000`
        quota = limit.number();
        const char* const space = std::strchr(limit.begin(), ' ');
        if (space != nullptr) period = KernelText::numberAt(space);
    } else {
        const KernelText limit(root, folder, "/cpu.cfs_quota_us");  // -1: none
        if (limit.begin()[0] != '-') quota = limit.number();
        period = KernelText(root, folder, "/cpu.cfs_period_us").number();
    }
    if (!quota || !period || *period == 0) return {};
    const KernelText counts(root, folder, "/cpu.stat");
    const auto stopped = isVersion2 ? counts.numberOf("throttled_usec ") : counts.numberOf("throttled_time ");
    return {*quota * kThousand / *period, stopped.value_or(0) * (isVersion2 ? kThousand : 1)};
}

}  // namespace

char* groupOfLine(char* line, const char* controller, bool& isVersion2) noexcept {
    char* const names = std::strchr(line, ':');
    char* const group = names != nullptr ? std::strchr(names + 1, ':') : nullptr;
    if (group == nullptr) return nullptr;
    *group = '\0';
    isVersion2 = names[1] == '\0';
    return isVersion2 || listHas(names + 1, controller) ? group + 1 : nullptr;
}

ProcessorLimit processorLimit(const char* root) noexcept {
    ProcessorLimit least;
    forEachGroup(root, "cpu", [&](bool isVersion2, const char* group) {
        const ProcessorLimit limit = limitOf(root, isVersion2, group);
        const bool isLess = least.thousandths == 0 || limit.thousandths < least.thousandths;
        if (limit.thousandths != 0 && isLess) least = limit;
    });
    return least;
}

namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

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
    const auto limit = KernelText(root, folder, version.limit).number();
    const auto used = KernelText(root, folder, version.used).number();
    if (!limit || !used) return kUnlimited;
    const KernelText parts(root, folder, "/memory.stat");
    const std::uint64_t files = parts.numberOf(version.files).value_or(0);
    const std::uint64_t shared = parts.numberOf(version.shared).value_or(0);
    const std::uint64_t kept = *used - std::min(*used, files - std::min(files, shared));
    return *limit - std::min(*limit, kept);
}

}  // namespace

std::uint64_t freeMemory(const char* root) noexcept {
    constexpr std::uint64_t kKilobyte = 1024;
    const auto ofNode = KernelText(root, "/proc", "/meminfo").numberOf("MemAvailable:");
    std::uint64_t least = ofNode ? *ofNode * kKilobyte : kUnlimited;
    forEachGroup(root, "memory", [&](bool isVersion2, const char* group) {
        least = std::min(least, freeOfGroup(root, isVersion2 ? kVersion2 : kVersion1, group));
    });
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

namespace {

/// What the columns of `/proc/stat` count (proc(5)); those of guests are part of `user` and `nice`.
enum Column : unsigned { kUser, kNice, kSystem, kIdle, kIoWait, kIrq, kSoftIrq, kSteal, kColumns };

}  // namespace

std::uint64_t machineUse(const char* root) noexcept {
    constexpr const char* kAllProcessors = "cpu ";
    const KernelText text(root, "/proc", "/stat");
    if (std::strncmp(text.begin(), kAllProcessors, std::strlen(kAllProcessors)) != 0) return 0;
    std::uint64_t ticks = 0;
    const char* at = text.begin() + std::strlen(kAllProcessors);
    for (unsigned column = 0; column < kColumns; ++column) {
        char* end = nullptr;
        const std::uint64_t count = std::strtoull(at, &end, 10);
        if (end == at) break;
        at = end;
        if (column != kIdle && column != kIoWait) ticks += count;
    }
    constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;
    const long perSecond = ::sysconf(_SC_CLK_TCK);
    return perSecond > 0 ? ticks * (kNanosecondsPerSecond / static_cast<std::uint64_t>(perSecond)) : 0;
}

}  // namespace holos::tracing::core
