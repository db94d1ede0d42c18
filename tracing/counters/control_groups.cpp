// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/counters/control_groups.h"

#include <algorithm>
#include <system_error>

#include "tracing/counters/files.h"
#include "tracing/counters/perf_devices.h"

namespace holos::counters {

fs::path controlGroupFolder(const fs::path& root, const std::string& group) {
    std::error_code error;
    const bool isOfVersion2 = fs::exists(root / "cgroup.controllers", error);
    const std::size_t begin = std::min(group.find_first_not_of('/'), group.size());
    const fs::path folder = (isOfVersion2 ? root : root / "perf_event") / group.substr(begin);
    return fs::is_directory(folder, error) ? folder : fs::path();
}

std::optional<PerfEvent> findOfControlGroup(const std::string& name) {
    constexpr const char* kGroups = "/sys/fs/cgroup";
    const std::size_t at = name.find("@/");
    if (at == std::string::npos) return std::nullopt;
    auto event = findPerfEvent(name.substr(0, at));
    if (!event) return std::nullopt;
    if (!event->processors.empty() && event->problem.empty())
        event->problem = "a device counts for everybody, not for a control group";
    event->name = name;
    event->controlGroup = controlGroupFolder(kGroups, name.substr(at + 1)).string();
    event->processors = processorsIn(lineOf("/sys/devices/system/cpu/online"));
    if (event->controlGroup.empty() && event->problem.empty())
        event->problem = "there is no control group " + name.substr(at + 1) + " for perf below " + kGroups;
    return event;
}

}  // namespace holos::counters
