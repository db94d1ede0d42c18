// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/binding.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>

#include "tracing/recorder/core/confining.h"
#include "tracing/recorder/core/kernel_counts.h"
#include "tracing/recorder/core/process_facts.h"
#include "tracing/recordings/format/clock.h"

namespace holos::tracing::core {
namespace {

void write(const Location& location, pid_t thread, const KernelCounts& counts) noexcept {
    std::uint64_t mask[kMostMaskWords] = {};
    const long bytes = ::syscall(SYS_sched_getaffinity, thread, sizeof mask, mask);
    std::uint32_t words = bytes > 0 ? static_cast<std::uint32_t>(bytes / sizeof(std::uint64_t)) : 0;
    while (words > 0 && mask[words - 1] == 0) --words;
    writeBinding(location.ref, counts.migrations, mask, words);
    if (counts.onProcessors >= 0) writeProcessorTime(location.ref, counts.onProcessors, counts.waiting);
}

/// Where several threads wrote to the location, the time of one of them says nothing of it.
void writeEnd(const Location& location, pid_t thread, KernelCounts counts) noexcept {
    if (location.hadSeveral.load(std::memory_order_relaxed)) counts.onProcessors = -1;
    write(location, thread, counts);
}

bool isAlive(pid_t thread) noexcept {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/self/task/%d", static_cast<int>(thread));
    return ::access(path, F_OK) == 0;
}

/// Only of the program's first thread the kernel has counted before this recording.
/// Locations by the last digits of their threads' numbers, the latest of each: who has a lock is found by it.
/// None goes away.
constexpr std::size_t kNumbers = 1024;
constinit std::array<std::atomic<const Location*>, kNumbers> byThread{};

std::atomic<const Location*>& placeOf(std::uint32_t kernelId) noexcept {
    return byThread[kernelId % kNumbers];
}

void belongsTo(Location& location, pid_t thread) noexcept {
    location.threadId.store(thread, std::memory_order_relaxed);
    placeOf(static_cast<std::uint32_t>(thread)).store(&location, std::memory_order_release);
}

bool isOf(const Location& location, std::uint32_t kernelId) noexcept {
    return static_cast<std::uint32_t>(location.threadId.load(std::memory_order_relaxed)) == kernelId;
}

void noteFirst(Location& location, pid_t thread) noexcept {
    constexpr std::int64_t kUnknown = -1;
    if (location.since != 0) {  // one that has ended was here before, and its time was written
        location.hadSeveral.store(true, std::memory_order_relaxed);
        writeProcessorTime(location.ref, kUnknown, kUnknown);
    }
    belongsTo(location, thread);
    location.since = nanoseconds(CLOCK_MONOTONIC);
    write(location, thread, thread == ::getpid() ? countsOf(thread) : KernelCounts{0, kUnknown, kUnknown});
}

}  // namespace

void noteBinding(Thread& thread, Location& location) noexcept {
    const pid_t first = location.threadId.load(std::memory_order_relaxed);
    if (first != 0 && first == thread.kernelId) return;
    if (!mayAskKernel()) return;
    const int saved = errno;
    if (thread.kernelId == 0) thread.kernelId = static_cast<pid_t>(::syscall(SYS_gettid));
    if (first == 0)
        noteFirst(location, thread.kernelId);
    else if (first != thread.kernelId)
        location.hadSeveral.store(true, std::memory_order_relaxed);
    errno = saved;
}

std::uint32_t locationOfThread(std::uint32_t kernelId) noexcept {
    int left = 256;
    const Location* const latest = placeOf(kernelId).load(std::memory_order_acquire);
    if (kernelId == 0 || latest == nullptr) return 0;
    if (isOf(*latest, kernelId)) return latest->ref + 1;
    for (const Location* one = newestLocation(); one != nullptr && left > 0; one = one->older, --left)
        if (isOf(*one, kernelId)) return one->ref + 1;
    return 0;
}

void noteEndedBinding(Location& location) noexcept {
    constexpr std::int64_t kLong = 10'000'000;
    const pid_t thread = location.threadId.exchange(0, std::memory_order_relaxed);
    if (thread == 0 || !mayAskKernel()) return;
    if (!location.hasMoved && nanoseconds(CLOCK_MONOTONIC) - location.since < kLong) {
        constexpr std::int64_t kUnknown = -1;
        if (!location.hadSeveral.load(std::memory_order_relaxed))
            writeProcessorTime(location.ref, nanoseconds(CLOCK_THREAD_CPUTIME_ID), kUnknown);
        return;
    }
    const int saved = errno;
    if (isAlive(thread)) writeEnd(location, thread, countsByHelper(thread));
    errno = saved;
}

void beginSharing(Thread& thread, Location& location) noexcept {
    const int saved = errno;
    if (thread.kernelId == 0) thread.kernelId = static_cast<pid_t>(::syscall(SYS_gettid));
    belongsTo(location, thread.kernelId);
    location.hadSeveral.store(true, std::memory_order_relaxed);
    errno = saved;
}

void endSharing(Location& location) noexcept {
    location.threadId.store(0, std::memory_order_relaxed);
}

void noteEndedPlaces(const Thread& thread) noexcept {
    for (Location* one = newestLocation(); one != nullptr; one = one->older)
        if (one->threadId.load(std::memory_order_relaxed) == thread.kernelId) noteEndedBinding(*one);
}

void noteFinalBindings() noexcept {
    const int saved = errno;
    for (Location* location = newestLocation(); location != nullptr; location = location->older) {
        const pid_t thread = location->threadId.exchange(0, std::memory_order_relaxed);
        if (thread != 0 && isAlive(thread)) writeEnd(*location, thread, countsOf(thread));
    }
    errno = saved;
}

}  // namespace holos::tracing::core
