// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/machine_use.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "tracing/recorder/core/control_groups.h"

namespace holos::tracing::core {
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
