// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "tracing/counters/memory_source.h"

namespace holos::counters {

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

}  // namespace holos::counters
