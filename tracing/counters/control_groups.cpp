// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/counters/control_groups.h"

#include <algorithm>
#include <string_view>
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
    event->processors = onlineProcessors();
    if (event->controlGroup.empty() && event->problem.empty())
        event->problem = "there is no control group " + name.substr(at + 1) + " for perf below " + kGroups;
    return event;
}

std::optional<PerfEvent> findOfProcessors(const std::string& name) {
    constexpr std::string_view kMark = "@cpu";
    const std::size_t at = name.rfind(kMark);
    const std::string list = at == std::string::npos ? "" : name.substr(at + kMark.size());
    if (list.empty() || list.find_first_not_of("0123456789,-") != std::string::npos) return std::nullopt;
    auto event = findPerfEvent(name.substr(0, at));
    if (!event) return std::nullopt;
    if (!event->processors.empty() && event->problem.empty())
        event->problem = "a device counts on processors of its own";
    event->name = name;
    event->processors = processorsIn(list);
    const std::vector<int> online = onlineProcessors();
    for (const int processor : event->processors)
        if (std::ranges::find(online, processor) == online.end() && event->problem.empty())
            event->problem = "there is no processor " + std::to_string(processor) + " that is online";
    if (event->processors.empty()) event->problem = "names no processor";
    return event;
}

}  // namespace holos::counters
