// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/counters/memory_access.h"

#include <linux/perf_event.h>

namespace holos::counters {
namespace {

/// What older kernels and processors say: bits of levels, of which one was hit.
MemorySource byLevels(std::uint64_t levels) {
    struct Level {
        std::uint64_t bits;
        MemorySource source;
    };
    constexpr Level kLevels[] = {
        {PERF_MEM_LVL_L1, MemorySource::FirstLevel},
        {PERF_MEM_LVL_LFB, MemorySource::OnItsWay},
        {PERF_MEM_LVL_L2, MemorySource::SecondLevel},
        {PERF_MEM_LVL_L3, MemorySource::ThirdLevel},
        {PERF_MEM_LVL_REM_CCE1 | PERF_MEM_LVL_REM_CCE2, MemorySource::OtherCache},
        {PERF_MEM_LVL_LOC_RAM, MemorySource::LocalMemory},
        {PERF_MEM_LVL_REM_RAM1 | PERF_MEM_LVL_REM_RAM2, MemorySource::RemoteMemory},
    };
    for (const Level& level : kLevels)
        if ((levels & level.bits) != 0) return level.source;
    return MemorySource::Unknown;
}

/// What newer ones say: the number of a level, and whether that is another node's or core's.
MemorySource byNumber(const perf_mem_data_src& data) {
    const bool isOthers = data.mem_remote != 0 || data.mem_hops != 0;
    switch (data.mem_lvl_num) {
        case PERF_MEM_LVLNUM_L1:
            return isOthers ? MemorySource::OtherCache : MemorySource::FirstLevel;
        case PERF_MEM_LVLNUM_LFB:
            return MemorySource::OnItsWay;
        case PERF_MEM_LVLNUM_L2:
            return isOthers ? MemorySource::OtherCache : MemorySource::SecondLevel;
        case PERF_MEM_LVLNUM_L3:
            return isOthers ? MemorySource::OtherCache : MemorySource::ThirdLevel;
        case PERF_MEM_LVLNUM_ANY_CACHE:
            return MemorySource::OtherCache;
        case PERF_MEM_LVLNUM_RAM:
            return isOthers ? MemorySource::RemoteMemory : MemorySource::LocalMemory;
        default:
            return byLevels(data.mem_lvl);
    }
}

MemorySource sourceOf(const perf_mem_data_src& data) {
    if ((data.mem_snoop & PERF_MEM_SNOOP_HITM) != 0) return MemorySource::Modified;
    if ((data.mem_snoopx & PERF_MEM_SNOOPX_PEER) != 0) return MemorySource::OtherCache;
    return byNumber(data);
}

}  // namespace

MemoryAccess memoryAccess(std::uint64_t address, std::uint64_t weight, std::uint64_t source) {
    perf_mem_data_src data{};
    data.val = source;
    MemoryAccess access;
    access.address = address;
    access.latency =
        static_cast<std::uint32_t>(weight);  // the first part of the structure, and all of the other
    access.source = sourceOf(data);
    access.isStore = (data.mem_op & PERF_MEM_OP_STORE) != 0;
    const bool isTold = (data.mem_op & ~std::uint64_t{PERF_MEM_OP_NA}) != 0;
    const bool isLoad = (data.mem_op & PERF_MEM_OP_LOAD) != 0;
    access.isMemory = access.isStore || isLoad || (!isTold && address != 0);
    return access;
}

}  // namespace holos::counters
