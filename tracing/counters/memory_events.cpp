// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/counters/memory_events.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "tracing/counters/files.h"
#include "tracing/counters/perf_devices.h"

namespace holos::counters {
namespace {

/// Loads that take fewer cycles would hide the others; as `perf mem` has it.
constexpr const char* kLeastLatency = "30";
constexpr unsigned kMostPrecise = 3;

unsigned preciseOf(const fs::path& device) {
    const std::string text = lineOf(device / "caps" / "max_precise");
    unsigned most = 0;
    std::from_chars(text.data(), text.data() + text.size(), most);
    return std::min(most, kMostPrecise);
}

bool hasEvent(const fs::path& device, const char* name) {
    return !lineOf(device / "events" / name).empty();
}

void add(const std::string& name, const fs::path& devices, unsigned precise, bool isLeader,
         std::vector<MemoryEvent>& all) {
    auto event = findDeviceEvent(name, devices);
    if (event && event->problem.empty()) all.push_back({std::move(*event), precise, isLeader, true});
}

}  // namespace

std::vector<MemoryEvent> memoryEvents(const fs::path& devices) {
    std::vector<MemoryEvent> all;
    for (const std::string device : {"cpu", "cpu_core", "cpu_atom"}) {
        const fs::path folder = devices / device;
        const unsigned precise = preciseOf(folder);
        if (precise == 0 || !hasEvent(folder, "mem-loads")) continue;
        if (hasEvent(folder, "mem-loads-aux")) add(device + "/mem-loads-aux/", devices, 0, true, all);
        add(device + "/mem-loads,ldlat=" + kLeastLatency + "/", devices, precise, false, all);
        if (hasEvent(folder, "mem-stores")) add(device + "/mem-stores/", devices, precise, false, all);
    }
    if (!all.empty()) return all;
    // AMD's samples operations; later kernels filter them by domain.
    const bool filters = !lineOf(devices / "ibs_op" / "format" / "swfilt").empty();
    add(filters ? "ibs_op/cnt_ctl=1,swfilt=1/" : "ibs_op/cnt_ctl=1/", devices, 0, false, all);
    if (!all.empty()) all.front().hasDomains = filters;
    return all;
}

}  // namespace holos::counters
