// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/counters/perf_page.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "base/descriptor.h"
#include "tracing/counters/files.h"
#include "tracing/counters/perf_event_names.h"

namespace holos::counters {
namespace {

/// Asks for registers that user space can read: on aarch64 an attribute of the event, elsewhere how they all
/// are.
#if defined(__aarch64__)
constexpr std::uint64_t kUserAccess = 2;
#else
constexpr std::uint64_t kUserAccess = 0;
#endif

std::string paranoidLevel() {
    std::ifstream file("/proc/sys/kernel/perf_event_paranoid");
    std::string level;
    file >> level;
    return level.empty() ? "unknown" : level;
}

}  // namespace

int openPerfEvent(const PerfEvent& event, const PerfOpening& how) {
    if (event.type == PERF_TYPE_BREAKPOINT && !breakpointsCount()) return -EOPNOTSUPP;
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = event.type;
    attributes.config = event.config;
    attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    if (how.thread == 0) attributes.read_format |= PERF_FORMAT_GROUP;
    attributes.inherit = how.isInherited ? 1 : 0;
    attributes.exclude_hv = 1;
    if (event.domains != 0) {
        attributes.exclude_user = (event.domains & kUser) == 0;
        attributes.exclude_kernel = (event.domains & kKernel) == 0;
        attributes.exclude_hv = (event.domains & kHypervisor) == 0;
    }
    attributes.disabled = how.leader < 0 ? 1 : 0;  // all of a group begin when its leader is enabled
    attributes.sample_period = how.period;
    attributes.wakeup_events = how.period != 0 ? 1 : 0;
    const bool hasRegister = event.type != PERF_TYPE_SOFTWARE && event.type != PERF_TYPE_BREAKPOINT;
    attributes.bp_type = event.breakpoint;
    attributes.config1 = event.config1 | (hasRegister ? kUserAccess : 0);
    attributes.config2 = event.config2;
    const Descriptor group(event.controlGroup.empty()
                               ? -1
                               : ::open(event.controlGroup.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!event.controlGroup.empty() && group.number() < 0) return -errno;
    const auto open = [&] {
        const bool isOfGroup = group.number() >= 0;
        const int process = isOfGroup ? group.number() : how.processor >= 0 ? -1 : how.thread;
        const long file = ::syscall(SYS_perf_event_open, &attributes, process, how.processor, how.leader,
                                    PERF_FLAG_FD_CLOEXEC | (isOfGroup ? PERF_FLAG_PID_CGROUP : 0UL));
        return file >= 0 ? static_cast<int>(file) : -errno;
    };
    int file = open();
    if (attributes.config1 != event.config1 && file < 0) {
        attributes.config1 = event.config1;
        file = open();
    }
    if (file == -EINVAL && event.domains == 0) {
        attributes.exclude_hv = 0;  // devices that cannot leave anybody out refuse to be asked for it
        file = open();
    }
    const bool mayLeaveOutKernel = !event.kernelOnly && event.domains == 0 && how.processor < 0;
    if ((file == -EACCES || file == -EPERM) && mayLeaveOutKernel) {
        attributes.exclude_kernel = 1;
        file = open();
    }
    return file < 0 ? file : moveToHighDescriptor(file);
}

std::string reasonNotToOpen(int error, const PerfEvent& event) {
    // What is counted for everybody needs more than what the kernel does for one program, and that more than
    // it.
    const bool ofKernel = event.kernelOnly || (event.domains & ~unsigned{kUser}) != 0;
    const std::string level = !event.processors.empty() ? "0" : ofKernel ? "1" : "2";
    switch (error) {
        case EACCES:
        case EPERM:
            return "not allowed: kernel.perf_event_paranoid is " + paranoidLevel() + ", and " + level +
                   " or less is needed (sysctl kernel.perf_event_paranoid=" + level +
                   ", or a container that permits perf_event_open)";
        case ENOENT:
        case ENODEV:
        case EOPNOTSUPP:
            return "this processor or virtual machine does not have it";
        case ENOSYS:
            return "this kernel has no perf_event_open";
        case EINVAL:
            return "the kernel does not know it, or cannot count it together with the others";
        case EMFILE:
            return "too many open files";
        default:
            return std::strerror(error);
    }
}

}  // namespace holos::counters

#ifdef __x86_64__
#include <x86intrin.h>
#endif

namespace holos::counters {

namespace {

std::atomic<bool> clockIsForbidden{false};

}  // namespace

void forbidClock() noexcept {
    clockIsForbidden.store(true, std::memory_order_relaxed);
}

#if defined(__x86_64__)

std::uint64_t Registers::counter(std::uint32_t number) const noexcept {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(number));
    return std::uint64_t{high} << 32 | low;
}

std::uint64_t Registers::clock() const noexcept {
    return clockIsForbidden.load(std::memory_order_relaxed) ? 0 : __rdtsc();
}

#elif defined(__aarch64__)

namespace {

/// The register's number is part of the instruction.
template <std::uint32_t kNumber>
std::uint64_t eventCounter() noexcept {
    std::uint64_t value = 0;
    // pmevcntrN_el0 by its encoding, as its name has the number in it
    __asm__ volatile("mrs %0, s3_3_c14_c%c1_%c2" : "=r"(value) : "i"(8 + kNumber / 8), "i"(kNumber % 8));
    return value;
}

template <std::uint32_t... kNumbers>
std::uint64_t eventCounter(std::uint32_t number, std::integer_sequence<std::uint32_t, kNumbers...>) noexcept {
    std::uint64_t value = 0;
    (void)((number == kNumbers && (value = eventCounter<kNumbers>(), true)) || ...);
    return value;
}

}  // namespace

std::uint64_t Registers::counter(std::uint32_t number) const noexcept {
    constexpr std::uint32_t kCycles = 31;
    if (number != kCycles) return eventCounter(number, std::make_integer_sequence<std::uint32_t, kCycles>());
    std::uint64_t value = 0;
    __asm__ volatile("mrs %0, pmccntr_el0" : "=r"(value));
    return value;
}

std::uint64_t Registers::clock() const noexcept {
    std::uint64_t value = 0;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(value));
    return value;
}

#else

std::uint64_t Registers::counter(std::uint32_t) const noexcept {
    return 0;
}

std::uint64_t Registers::clock() const noexcept {
    return 0;
}

#endif

PerfPage::PerfPage(int file) noexcept {
    if (!Registers::kCanBeRead) return;
    void* const page =
        ::mmap(nullptr, static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)), PROT_READ, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) page_ = static_cast<const volatile perf_event_mmap_page*>(page);
}

PerfPage::~PerfPage() {
    if (page_ != nullptr)
        ::munmap(const_cast<perf_event_mmap_page*>(page_), static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)));
}

}  // namespace holos::counters
