// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/counters/perf_open.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

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
