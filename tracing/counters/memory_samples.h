// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "tracing/counters/memory_access.h"

struct perf_event_mmap_page;

/// Samples of accesses to memory that a thread takes of itself: the kernel writes each into a buffer, and
/// sends the thread a signal.
namespace holos::counters {

struct SampledAccess {
    std::uint64_t instruction = 0;  ///< that did it
    MemoryAccess access;
};

/// The events and the buffer of one thread. Plain data, closed by `closeMemorySamples` alone.
///
/// Thread safety: one thread.
struct MemorySamples {
    static constexpr std::size_t kMostEvents = 6;  ///< of a processor with two kinds of cores
    std::array<int, kMostEvents> files;
    std::size_t count;
    perf_event_mmap_page* page;  ///< null: no buffer
    pid_t process;               ///< a child does not have the buffer
};

/// What a buffer had.
struct TakenAccesses {
    std::size_t count = 0;   ///< those of the program, in the place for them
    std::uint64_t lost = 0;  ///< had no room there or in the buffer
};

/// Opens the events of `memoryEventsOf` for the calling thread, one sample every `period` events, and sends
/// it `signal` for each. Of the program's own accesses alone, not of the kernel's. Throws `Error` with what
/// would help.
void openMemorySamples(const std::filesystem::path& devices, std::uint64_t period, int signal,
                       MemorySamples& open);
void closeMemorySamples(MemorySamples& open) noexcept;

/// Whether the file is one of its events.
bool isOf(const MemorySamples& open, int file) noexcept;

/// The samples since the last call. Async-signal-safe.
TakenAccesses takeAccesses(MemorySamples& open, std::span<SampledAccess> into) noexcept;

/// The records of a buffer from `from` to `to`, which count on beyond its end: those of the events above.
/// Async-signal-safe.
TakenAccesses accessesIn(std::span<const unsigned char> ring, std::uint64_t from, std::uint64_t to,
                         std::span<SampledAccess> into) noexcept;

}  // namespace holos::counters
