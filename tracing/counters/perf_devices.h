// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracing/counters/perf_event_names.h"

/// Events that the kernel describes by itself in /sys/bus/event_source/devices (Documentation/ABI/testing/
/// sysfs-bus-event_source-devices-events and -format): those of the processor under the names of its vendor,
/// of memory controllers, interconnects, power.
namespace holos::counters {

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
