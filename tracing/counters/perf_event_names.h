// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holos::counters {

/// What perf_event_open needs for an event.
struct PerfEvent {
    std::string name;
    std::string description;
    std::string unit;
    std::uint32_t type = 0;
    std::uint64_t config = 0;
    /// Counted by the kernel on its own behalf: counting the program's part alone gives nothing.
    bool kernelOnly = false;
    std::uint64_t config1 = 0, config2 = 0;
    /// `Domain`s in which it is counted; 0: the program, and the kernel where that is allowed.
    unsigned domains = 0;
    double factor = 1;  ///< from what the kernel counts to the unit
    /// The processors on which a device counts, for everybody; empty for events of threads.
    std::vector<int> processors = {};
    std::uint32_t breakpoint =
        0;  ///< accesses to `config1`, `config2` bytes of it, as `HW_BREAKPOINT_R` has it
    std::string controlGroup =
        {};                    ///< whose processes are counted, a folder; empty: everybody's, or a thread
    std::string problem = {};  ///< why there is no such event; empty where there is
};

/// For whom events are counted, as bits.
enum Domain : unsigned { kUser = 1, kKernel = 2, kHypervisor = 4 };

/// Sets the domains of `u`, `k`, `h` or several of them, as perf writes them behind the name of an event.
/// False for other letters and for none. An event that only the kernel counts has a problem without `k`.
bool setDomains(PerfEvent& event, std::string_view letters);

/// The events that have a name of their own.
const std::vector<PerfEvent>& namedPerfEvents();

/// A named event, or `rXXXX`: a raw event of the processor by its hexadecimal code; both also with domains,
/// as `page-faults:u`. An event of a device of this machine, or of the kernel's tracing.
std::optional<PerfEvent> findPerfEvent(const std::string& name);

/// Accesses to one place in memory, as perf names them: `mem:ADDRESS`, `mem:ADDRESS/BYTES`, behind it `:` and
/// which of them count, of `r`, `w`, `x` (`rw` where nothing is said), and `:` and domains. Nothing for other
/// names; a problem where there cannot be such an event.
std::optional<PerfEvent> findBreakpoint(const std::string& name);

/// False where the kernel accepts breakpoints that then never count, as in some virtual machines: tried once,
/// by writing to a variable of ours.
bool breakpointsCount();

/// An event of all processes of a control group and of those below it: `EVENT@/GROUP`, such as
/// `cycles@/system.slice/ssh.service`, with the group by its path below where the kernel shows groups. It is
/// counted on all processors. Nothing for other names; a problem where there is no such group.
std::optional<PerfEvent> findOfControlGroup(const std::string& name);

/// An event of everybody on some processors: `EVENT@cpu0`, `EVENT@cpu0-3,8`. Nothing for other names; a
/// problem where a processor is not there.
std::optional<PerfEvent> findOfProcessors(const std::string& name);

/// The folder of a group for perf, of version 2 or 1 of control groups, whose file systems are at `root`.
/// Empty where there is none.
std::filesystem::path controlGroupFolder(const std::filesystem::path& root, const std::string& group);

/// Events that the kernel describes by itself in /sys/bus/event_source/devices (Documentation/ABI/testing/
/// sysfs-bus-event_source-devices-events and -format): those of the processor under the names of its vendor,
/// of memory controllers, interconnects, power.

/// Where the kernel of this machine has them.
inline constexpr const char* kDevices = "/sys/bus/event_source/devices";
/// `kDevices`, or the folder that `HOLOS_DEVICES` names in its place, for tests.
std::filesystem::path devicesHere();

/// The form of a name as perf has it: `DEVICE/TERM,TERM/DOMAINS`. A term is the name of an event of the
/// device (`cpu/mem-loads/`), or a value of one of its formats (`cpu/event=0x3c,umask=1/`); `config`,
/// `config1` and `config2` are known for all.
bool isDeviceEventName(std::string_view name);

/// The processors of a list of the kernel's, such as `0-3,8`.
std::vector<int> processorsIn(std::string_view text);

/// The processors that are online.
std::vector<int> onlineProcessors();

/// The event of such a name; nothing where there is no such device. One with terms that the device does not
/// have says so in `problem`.
std::optional<PerfEvent> findDeviceEvent(const std::string& name, const std::filesystem::path& devices);

/// All events that devices have names for, in the order of these names.
std::vector<PerfEvent> listDeviceEvents(const std::filesystem::path& devices);

/// An event of the kernel's tracing, `SUBSYSTEM:EVENT`, by the folders that tracefs has for events; nothing
/// where there is none or it may not be looked at.
std::optional<PerfEvent> findTracepoint(const std::string& name, const std::filesystem::path& events);

}  // namespace holos::counters
