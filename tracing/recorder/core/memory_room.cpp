// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/memory_room.h"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>

#include "tracing/recorder/core/control_groups.h"
#include "tracing/recordings/format/record.h"

namespace holos::tracing::core {
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

}  // namespace holos::tracing::core
