// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <linux/perf_event.h>
#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "tracing/counters/perf_event_names.h"

namespace holos::counters {

/// What samples of accesses to memory are called in `--sample memory:PERIOD`.
inline constexpr const char* kMemoryAccesses = "memory";

/// An event whose samples have the address, the latency and the source of the data.
struct MemoryEvent {
    PerfEvent event;
    unsigned precise = 0;    ///< `perf_event_attr::precise_ip`
    bool isLeader = false;   ///< samples nothing itself: the next one counts in its group
    bool hasDomains = true;  ///< the device can leave out the kernel
    /// Writes records of its own beside the kernel's: Arm's SPE (`spe_packets.h`).
    bool hasOwnRecords = false;
    std::uint64_t least = 16;  ///< the smallest period, and what others are a multiple of
    std::uint64_t grain = 16;
};

/// The events of this machine: loads and stores (`mem-loads`, `mem-stores`) of the processor's device, with
/// `mem-loads-aux` before the loads where the processor needs that; or AMD's `ibs_op`; or Arm's
/// `arm_spe_N`. `devices`: as
/// `perf_event_names.h` has it. Empty where there are none.
std::vector<MemoryEvent> memoryEvents(const std::filesystem::path& devices);

/// `memoryEvents`; throws `Error` where there are none, with what would be needed.
std::vector<MemoryEvent> memoryEventsOf(const std::filesystem::path& devices);

/// What the kernel is to sample of an event, but for what a sample has besides the access; it is off at
/// first. `period`: events from one sample to the next, as near to it as the processor can do.
perf_event_attr attributesOf(const MemoryEvent& event, std::uint64_t period);

/// Opens an event for a thread, on one processor or (-1) wherever it runs. Where the kernel is older than
/// the structure of the latency, the latency alone. The file's number, or an errno as a negative number.
int openSamples(perf_event_attr attributes, int thread, int processor, int leader);

}  // namespace holos::counters

struct perf_event_mmap_page;

namespace holos::counters {

/// Where the data of a sampled access to memory came from.
enum class MemorySource : std::uint8_t {
    FirstLevel,
    OnItsWay,  ///< another access had asked for the line already
    SecondLevel,
    ThirdLevel,
    Modified,    ///< another core's cache, where the line had been changed (HITM)
    OtherCache,  ///< another core's cache, of the same node or not, where it had not
    LocalMemory,
    RemoteMemory,
    Unknown,  ///< not told, or none of these
};

struct MemorySourceText {
    const char* name;  ///< in names of metrics
    const char* meaning;
};

/// By source.
inline constexpr std::array kMemorySources{
    MemorySourceText{"l1", "in the first-level cache"},
    MemorySourceText{"on_its_way", "for which the line was on its way already"},
    MemorySourceText{"l2", "in the second-level cache"},
    MemorySourceText{"l3", "in the third-level cache"},
    MemorySourceText{"modified", "in another core's cache, which had changed the line: threads share it"},
    MemorySourceText{"other_cache", "in another core's cache, which had not changed the line"},
    MemorySourceText{"local_memory", "in memory of the own node"},
    MemorySourceText{"remote_memory", "in memory of another node"},
    MemorySourceText{"unknown", "of which the processor did not say where the data was"},
};

/// What an address belongs to.
enum class MemoryPart : std::uint8_t { File, Heap, Stack, Other };

/// How a record has an access, besides its address and latency.
struct AccessKind {
    MemorySource source = MemorySource::Unknown;
    MemoryPart part = MemoryPart::Other;
    bool isStore = false;
};
inline constexpr std::uint32_t kPartShift = 8;
inline constexpr std::uint32_t kStoreShift = 16;
constexpr std::uint32_t bitsOf(const AccessKind& kind) {
    return static_cast<std::uint32_t>(kind.source) | static_cast<std::uint32_t>(kind.part) << kPartShift |
           static_cast<std::uint32_t>(kind.isStore) << kStoreShift;
}
/// What is damaged is unknown.
constexpr AccessKind accessKindIn(std::uint32_t bits) {
    const std::uint32_t source = bits & 0xFFU;
    const std::uint32_t part = bits >> kPartShift & 0xFFU;
    AccessKind kind;
    if (source < kMemorySources.size()) kind.source = static_cast<MemorySource>(source);
    if (part <= static_cast<std::uint32_t>(MemoryPart::Other)) kind.part = static_cast<MemoryPart>(part);
    kind.isStore = (bits >> kStoreShift & 1U) != 0;
    return kind;
}

/// One load or store that the processor followed: Intel's PEBS, AMD's IBS, as the kernel hands them on.
struct MemoryAccess {
    std::uint64_t address = 0;  ///< of the data, in the program's memory; 0: not told
    std::uint32_t latency = 0;  ///< cycles until the data was there; 0: not told
    MemorySource source = MemorySource::Unknown;
    bool isMemory = false;  ///< a load or a store, or one of which is not told which it is
    bool isStore = false;
};

/// Of the fields of a sample that `PERF_SAMPLE_ADDR`, `PERF_SAMPLE_WEIGHT_STRUCT` (or `…_WEIGHT`) and
/// `PERF_SAMPLE_DATA_SRC` ask for (linux/perf_event.h, `union perf_mem_data_src`).
MemoryAccess memoryAccess(std::uint64_t address, std::uint64_t weight, std::uint64_t source);

/// Samples of accesses to memory that a thread takes of itself: the kernel writes each into a buffer, and
/// sends the thread a signal.

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
    std::size_t count = 0;   ///< accesses of the program, in the place for them
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
