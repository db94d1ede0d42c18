// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <linux/perf_event.h>

#include <filesystem>
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
