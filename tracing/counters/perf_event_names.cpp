// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/counters/perf_event_names.h"

#include <linux/perf_event.h>

#include <algorithm>

#include "base/number.h"
#include "tracing/counters/breakpoint_events.h"
#include "tracing/counters/control_groups.h"
#include "tracing/counters/perf_devices.h"

namespace holos::counters {
namespace {

constexpr std::uint64_t cache(std::uint64_t which, std::uint64_t operation, std::uint64_t result) {
    return which | operation << 8 | result << 16;
}

std::vector<PerfEvent> makeNames() {
    const auto software = [](const char* name, const char* text, std::uint64_t code, const char* unit = "occ",
                             bool kernelOnly = false) {
        return PerfEvent{name, text, unit, PERF_TYPE_SOFTWARE, code, kernelOnly};
    };
    const auto hardware = [](const char* name, const char* text, std::uint64_t code) {
        return PerfEvent{name, text, "occ", PERF_TYPE_HARDWARE, code, false};
    };
    const auto cached = [](const char* name, const char* text, std::uint64_t which, std::uint64_t operation,
                           std::uint64_t result) {
        return PerfEvent{name, text, "occ", PERF_TYPE_HW_CACHE, cache(which, operation, result), false};
    };
    constexpr auto kRead = PERF_COUNT_HW_CACHE_OP_READ;
    constexpr auto kWrite = PERF_COUNT_HW_CACHE_OP_WRITE;
    constexpr auto kAccess = PERF_COUNT_HW_CACHE_RESULT_ACCESS;
    constexpr auto kMiss = PERF_COUNT_HW_CACHE_RESULT_MISS;
    return {
        software("page-faults", "Page faults", PERF_COUNT_SW_PAGE_FAULTS),
        software("minor-faults", "Page faults served without a disk", PERF_COUNT_SW_PAGE_FAULTS_MIN),
        software("major-faults", "Page faults served from a disk", PERF_COUNT_SW_PAGE_FAULTS_MAJ),
        software("context-switches", "Times the thread left its processor", PERF_COUNT_SW_CONTEXT_SWITCHES,
                 "occ", true),
        software("cpu-migrations", "Times the thread moved to another processor",
                 PERF_COUNT_SW_CPU_MIGRATIONS, "occ", true),
        software("task-clock", "Time of the thread on a processor", PERF_COUNT_SW_TASK_CLOCK, "ns"),
        software("cpu-clock", "Time of the thread on a processor, by the processor's clock",
                 PERF_COUNT_SW_CPU_CLOCK, "ns"),
        software("alignment-faults", "Unaligned accesses that the kernel completed",
                 PERF_COUNT_SW_ALIGNMENT_FAULTS),
        software("emulation-faults", "Instructions that the kernel emulated", PERF_COUNT_SW_EMULATION_FAULTS),
        hardware("cycles", "Processor cycles", PERF_COUNT_HW_CPU_CYCLES),
        hardware("instructions", "Completed instructions", PERF_COUNT_HW_INSTRUCTIONS),
        hardware("ref-cycles", "Cycles at a constant rate", PERF_COUNT_HW_REF_CPU_CYCLES),
        hardware("cache-references", "Accesses to the last cache", PERF_COUNT_HW_CACHE_REFERENCES),
        hardware("cache-misses", "Misses in the last cache", PERF_COUNT_HW_CACHE_MISSES),
        hardware("branches", "Completed branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS),
        hardware("branch-misses", "Wrongly predicted branches", PERF_COUNT_HW_BRANCH_MISSES),
        hardware("stalled-cycles-frontend", "Cycles without an instruction to begin",
                 PERF_COUNT_HW_STALLED_CYCLES_FRONTEND),
        hardware("stalled-cycles-backend", "Cycles without a unit or operand",
                 PERF_COUNT_HW_STALLED_CYCLES_BACKEND),
        cached("L1-dcache-loads", "Loads from the first data cache", PERF_COUNT_HW_CACHE_L1D, kRead, kAccess),
        cached("L1-dcache-load-misses", "Loads that miss the first data cache", PERF_COUNT_HW_CACHE_L1D,
               kRead, kMiss),
        cached("L1-dcache-stores", "Stores to the first data cache", PERF_COUNT_HW_CACHE_L1D, kWrite,
               kAccess),
        cached("L1-icache-load-misses", "Fetches that miss the first instruction cache",
               PERF_COUNT_HW_CACHE_L1I, kRead, kMiss),
        cached("LLC-loads", "Loads from the last cache", PERF_COUNT_HW_CACHE_LL, kRead, kAccess),
        cached("LLC-load-misses", "Loads that miss the last cache", PERF_COUNT_HW_CACHE_LL, kRead, kMiss),
        cached("dTLB-loads", "Loads translated by the data TLB", PERF_COUNT_HW_CACHE_DTLB, kRead, kAccess),
        cached("dTLB-load-misses", "Loads that miss the data TLB", PERF_COUNT_HW_CACHE_DTLB, kRead, kMiss),
        cached("iTLB-load-misses", "Fetches that miss the instruction TLB", PERF_COUNT_HW_CACHE_ITLB, kRead,
               kMiss),
    };
}

/// A named or a raw event, without domains.
std::optional<PerfEvent> findNamed(const std::string& name) {
    const auto& all = namedPerfEvents();
    const auto at = std::find_if(all.begin(), all.end(), [&](const PerfEvent& e) { return e.name == name; });
    if (at != all.end()) return *at;
    if (name.size() < 2 || name.front() != 'r') return std::nullopt;
    const auto code = asNumber<std::uint64_t>(std::string_view(name).substr(1), 16);
    if (!code) return std::nullopt;
    return PerfEvent{name, "Raw event of the processor", "occ", PERF_TYPE_RAW, *code, false};
}

/// Where the kernel's tracing shows its events, newer kernels first.
constexpr const char* kTracepoints[] = {"/sys/kernel/tracing/events", "/sys/kernel/debug/tracing/events"};

}  // namespace

const std::vector<PerfEvent>& namedPerfEvents() {
    static const auto* names = new std::vector<PerfEvent>(makeNames());
    return *names;
}

bool setDomains(PerfEvent& event, std::string_view letters) {
    constexpr std::string_view kLetters = "ukh";
    unsigned domains = 0;
    for (const char letter : letters) {
        const std::size_t at = kLetters.find(letter);
        if (at == std::string_view::npos) return false;
        domains |= 1U << at;
    }
    if (domains == 0) return false;
    event.domains = domains;
    if (event.kernelOnly && (domains & kKernel) == 0)
        event.problem = "it happens in the kernel alone, which is not among its domains";
    return true;
}

std::optional<PerfEvent> findPerfEvent(const std::string& name) {
    if (auto event = findBreakpoint(name)) return event;
    if (auto event = findOfControlGroup(name)) return event;
    if (auto event = findOfProcessors(name)) return event;
    const std::size_t colon = name.find(':');
    if (auto event = findNamed(name.substr(0, colon))) {
        event->name = name;
        if (colon == std::string::npos || setDomains(*event, std::string_view(name).substr(colon + 1)))
            return event;
        return std::nullopt;
    }
    if (auto event = findDeviceEvent(name, kDevices)) return event;
    for (const char* events : kTracepoints)
        if (auto event = findTracepoint(name, events)) return event;
    return std::nullopt;
}

}  // namespace holos::counters
