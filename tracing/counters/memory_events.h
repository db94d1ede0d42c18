// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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
};

/// Those of this machine: loads and stores (`mem-loads`, `mem-stores`) of the processor's device, with
/// `mem-loads-aux` before the loads where the processor needs that; or AMD's `ibs_op`. `devices`: as
/// `perf_devices.h` has it. Empty where there are none.
std::vector<MemoryEvent> memoryEvents(const std::filesystem::path& devices);

}  // namespace holos::counters
