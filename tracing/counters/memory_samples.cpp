// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/counters/memory_samples.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/error.h"
#include "tracing/counters/files.h"
#include "tracing/counters/interrupts.h"
#include "tracing/counters/perf_event_names.h"
#include "tracing/counters/perf_page.h"

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

namespace {

/// One page: each sample has a signal of its own. The kernel allows each user 516 KB for each processor.
std::size_t ringBytes() noexcept {
    return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

/// A sample as `PERF_SAMPLE_IP`, `…_ADDR`, `…_WEIGHT_STRUCT` and `…_DATA_SRC` make it.
struct AccessSample {
    std::uint64_t instruction, address, weight, source;
};
struct Loss {
    std::uint64_t event, records;
};

/// Bytes of a ring, across its end as well.
void copyFrom(std::span<const unsigned char> ring, std::uint64_t at, void* to, std::size_t bytes) noexcept {
    const std::size_t begin = at % ring.size();
    const std::size_t first = std::min(bytes, ring.size() - begin);
    std::memcpy(to, &ring[begin], first);
    std::memcpy(static_cast<unsigned char*>(to) + first, ring.data(), bytes - first);
}

bool isInKernel(std::uint64_t instruction) {
    return instruction >> 63U != 0;
}

void open(const MemoryEvent& event, std::uint64_t period, int leader, MemorySamples& all) {
    if (event.hasOwnRecords)
        throw Error(
            "memory: Arm's SPE reports accesses with a delay, so they can be recorded from outside only "
            "(start the program, then 'holos record --attach PID --sample memory:" +
            std::to_string(period) + "')");
    perf_event_attr attributes = attributesOf(event, period);
    attributes.sample_type |= PERF_SAMPLE_IP;
    attributes.exclude_kernel = event.hasDomains ? 1 : 0;
    attributes.wakeup_events = 1;
    const int file = openSamples(attributes, 0, -1, leader);
    if (file < 0) throw Error(std::string("memory: ") + reasonNotToOpen(-file, event.event));
    all.files[all.count++] = moveToHighDescriptor(file);
}

/// All events of the thread write into the buffer of the first one.
void shareBuffer(MemorySamples& all) {
    void* const memory =
        ::mmap(nullptr, ringBytes() + ringBytes(), PROT_READ | PROT_WRITE, MAP_SHARED, all.files[0], 0);
    if (memory == MAP_FAILED)
        throw Error(std::string("memory: the kernel gives no memory for samples: ") + std::strerror(errno) +
                    (errno == EPERM ? " ('ulimit -l' allows more)" : ""));
    all.page = static_cast<perf_event_mmap_page*>(memory);
    for (std::size_t i = 1; i < all.count; ++i)
        if (::ioctl(all.files[i], PERF_EVENT_IOC_SET_OUTPUT, all.files[0]) != 0)
            throw Error(std::string("memory: no common buffer for samples: ") + std::strerror(errno));
}

}  // namespace

void openMemorySamples(const std::filesystem::path& devices, std::uint64_t period, int signal,
                       MemorySamples& all) {
    all = {};
    all.process = ::getpid();
    try {
        int leader = -1;
        for (const MemoryEvent& event : memoryEventsOf(devices)) {
            if (all.count == all.files.size()) break;
            open(event, period, leader, all);
            leader = event.isLeader ? all.files[all.count - 1] : -1;
        }
        shareBuffer(all);
        for (std::size_t i = all.count; signal != 0 && i > 0; --i) sendSignals(all.files[i - 1], signal);
    } catch (...) {
        closeMemorySamples(all);
        throw;
    }
}

void closeMemorySamples(MemorySamples& all) noexcept {
    for (std::size_t i = 0; i < all.count; ++i) ::close(all.files[i]);
    if (all.page != nullptr && all.process == ::getpid()) ::munmap(all.page, ringBytes() + ringBytes());
    all = {};
}

bool isOf(const MemorySamples& all, int file) noexcept {
    const auto* const end = all.files.data() + all.count;
    return std::find(all.files.data(), end, file) != end;
}

TakenAccesses takeAccesses(MemorySamples& all, std::span<SampledAccess> into) noexcept {
    if (all.page == nullptr || all.process != ::getpid()) return {};
    const auto* const ring = reinterpret_cast<const unsigned char*>(all.page) + ringBytes();
    const std::uint64_t head = __atomic_load_n(&all.page->data_head, __ATOMIC_ACQUIRE);
    const TakenAccesses taken = accessesIn({ring, ringBytes()}, all.page->data_tail, head, into);
    __atomic_store_n(&all.page->data_tail, head, __ATOMIC_RELEASE);
    return taken;
}

TakenAccesses accessesIn(std::span<const unsigned char> ring, std::uint64_t from, std::uint64_t to,
                         std::span<SampledAccess> into) noexcept {
    TakenAccesses taken;
    while (to - from >= sizeof(perf_event_header)) {
        perf_event_header header{};
        copyFrom(ring, from, &header, sizeof header);
        if (header.size < sizeof header || header.size > to - from) break;
        const std::uint64_t body = from + sizeof header;
        const std::size_t bytes = header.size - sizeof header;
        from += header.size;
        if (header.type == PERF_RECORD_LOST && bytes >= sizeof(Loss)) {
            Loss loss{};
            copyFrom(ring, body, &loss, sizeof loss);
            taken.lost += loss.records;
        }
        if (header.type != PERF_RECORD_SAMPLE || bytes < sizeof(AccessSample)) continue;
        AccessSample sample{};
        copyFrom(ring, body, &sample, sizeof sample);
        const MemoryAccess access = memoryAccess(sample.address, sample.weight, sample.source);
        if (!access.isMemory || isInKernel(sample.instruction)) continue;
        if (taken.count == into.size())
            ++taken.lost;
        else
            into[taken.count++] = {sample.instruction, access};
    }
    return taken;
}

}  // namespace holos::counters
