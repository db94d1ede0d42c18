// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/counters/memory_events.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <string>

#include "base/error.h"
#include "tracing/counters/files.h"
#include "tracing/counters/perf_event_names.h"

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

/// Arm's samples operations, too, of each kind of core by a device of its own.
void addSpe(const fs::path& devices, std::vector<MemoryEvent>& all) {
    constexpr std::uint64_t kGrain = 256;
    for (const fs::path& device : entriesOf(devices)) {
        const std::string name = device.filename().string();
        if (!name.starts_with("arm_spe_")) continue;
        const std::size_t before = all.size();
        add(name + "/jitter=1,load_filter=1,store_filter=1/", devices, 0, false, all);
        if (all.size() == before) continue;
        const std::uint64_t least =
            std::strtoull(lineOf(device / "caps" / "min_interval").c_str(), nullptr, 10);
        all.back().hasOwnRecords = true;
        all.back().grain = kGrain;
        all.back().least = std::max(kGrain, (least + kGrain - 1) / kGrain * kGrain);
    }
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
    if (all.empty()) addSpe(devices, all);
    return all;
}

std::vector<MemoryEvent> memoryEventsOf(const fs::path& devices) {
    auto all = memoryEvents(devices);
    if (all.empty())
        throw Error(
            "memory: this machine has no samples of accesses to memory (they need mem-loads of Intel's "
            "processors, ibs_op of AMD's or arm_spe_0 of Arm's in " +
            devices.string() + ", which most virtual machines lack)");
    return all;
}

perf_event_attr attributesOf(const MemoryEvent& one, std::uint64_t period) {
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = one.event.type;
    attributes.config = one.event.config;
    attributes.config1 = one.event.config1;
    attributes.config2 = one.event.config2;
    attributes.bp_type = one.event.breakpoint;
    attributes.precise_ip = one.precise & 3U;
    attributes.sample_period = one.isLeader ? 0 : std::max(period / one.grain * one.grain, one.least);
    attributes.sample_type = PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC;
    attributes.exclude_hv = one.hasDomains ? 1 : 0;
    attributes.disabled = 1;
    return attributes;
}

int openSamples(perf_event_attr attributes, int thread, int processor, int leader) {
    const auto open = [&] {
        return ::syscall(SYS_perf_event_open, &attributes, thread, processor, leader, PERF_FLAG_FD_CLOEXEC);
    };
    long file = open();
    if (file < 0 && errno == EINVAL && (attributes.sample_type & PERF_SAMPLE_WEIGHT_STRUCT) != 0) {
        attributes.sample_type ^= PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_WEIGHT;  // before Linux 5.12
        file = open();
    }
    return file >= 0 ? static_cast<int>(file) : -errno;
}

}  // namespace holos::counters
