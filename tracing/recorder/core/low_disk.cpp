// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/low_disk.h"

#include <sys/statfs.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <optional>

#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/growing_file.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/core/profiling.h"
#include "tracing/recorder/core/storage.h"
#include "tracing/recordings/format/definition_kinds.h"
#include "tracing/recordings/format/settings.h"

namespace holos::tracing::core {
namespace {

constexpr std::uint64_t kMegabyte = 1'000'000;

std::atomic<bool> isLow{false};
std::atomic<std::uint64_t> lookAt{0};     ///< bytes of events at which to look again
std::atomic<std::uint64_t> freeFirst{0};  ///< bytes that were free at the first look
std::atomic<std::uint64_t> usedFirst{0};  ///< bytes of events then

/// Nothing where that is not known, as of a folder that was moved.
std::optional<std::uint64_t> freeBytes() noexcept {
    const KeepErrno keep;
    struct statfs facts {};
    const char* const folder = localFolder()[0] != '\0' ? localFolder() : directory();
    if (::statfs(folder, &facts) != 0) return std::nullopt;
    return static_cast<std::uint64_t>(facts.f_bavail) * static_cast<std::uint64_t>(facts.f_bsize);
}

/// Where events are copied, file systems give them their place on the disk late (btrfs), and say that it is
/// free until then.
std::uint64_t withoutDelayed(std::uint64_t free, std::uint64_t used) noexcept {
    const std::uint64_t first = freeFirst.load(std::memory_order_relaxed);
    if (first == 0) {
        usedFirst.store(used, std::memory_order_relaxed);
        return free;
    }
    const std::uint64_t own = used - std::min(used, usedFirst.load(std::memory_order_relaxed));
    return storageIsCopied() ? std::min(free, first - std::min(first, own)) : free;
}

/// The reserve, and room for the trace, which is made while the recording is still there: it has three
/// quarters of what has been written since, by all processes, or less.
std::uint64_t neededBytes(std::uint64_t free) noexcept {
    std::uint64_t first = 0;
    if (freeFirst.compare_exchange_strong(first, free, std::memory_order_relaxed)) first = free;
    const std::uint64_t written = first - std::min(first, free);
    return settings().diskReserve + written / 4 * 3;
}

/// Other processes may fill the disk meanwhile: the less is left, the sooner.
std::uint64_t untilNextLook(std::uint64_t room) noexcept {
    constexpr std::uint64_t kProcesses = 64;
    constexpr std::uint64_t kMost = 16 * kMegabyte;
    return std::min(room / kProcesses, kMost);
}

void note(const char* what) noexcept {
    const auto reserve = static_cast<unsigned long long>(settings().diskReserve / kMegabyte);
    char text[256];
    std::snprintf(text, sizeof text,
                  "the disk had less than %llu MB left beside room for the trace (--disk-reserve): %s",
                  reserve, what);
    trouble(text);
}

void react() noexcept {
    if (settings().whenDiskLow == WhenDiskLow::Stop) {
        note("the recording stopped");
        return fail(ENOSPC);
    }
    if (eventsAreAdded()) {
        note("no more was traced, and all was added up to the end");
        return stopWriting();
    }
    note(kAddedUpInstead);
    addInstead();
}

}  // namespace

bool diskIsLow() noexcept {
    if (settings().diskReserve == 0) return false;
    if (isLow.load(std::memory_order_relaxed)) return true;
    const std::uint64_t used = __atomic_load_n(&status().eventBytes, __ATOMIC_RELAXED);
    if (used < lookAt.load(std::memory_order_relaxed)) return false;
    auto free = freeBytes();
    if (free) free = withoutDelayed(*free, used);
    const std::uint64_t needed = free ? neededBytes(*free) : 0;
    if (!free || *free >= needed) {
        lookAt.store(used + untilNextLook(free ? *free - needed : kMegabyte * kMegabyte),
                     std::memory_order_relaxed);
        return false;
    }
    if (!isLow.exchange(true)) react();
    return true;
}

}  // namespace holos::tracing::core
