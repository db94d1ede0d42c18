// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/common_points.h"

namespace holos::analyzer::causes {

Memberships::Memberships(const trace::Definitions& definitions) {
    for (const trace::Comm& comm : definitions.comms) {
        auto& processes = processes_.emplace_back();
        for (const trace::LocationId member : comm.members)
            processes.push_back(static_cast<std::uint32_t>(definitions[member].process.index()));
        std::ranges::sort(processes);
        processes.erase(std::unique(processes.begin(), processes.end()), processes.end());
        isOfAll_.push_back(processes.size() == definitions.processes.size() ? 1 : 0);
    }
}

bool Memberships::contains(std::uint32_t comm, std::uint32_t process) const {
    return comm == kNone || isOfAll_[comm] != 0 || std::ranges::binary_search(processes_[comm], process);
}

void CommonPoints::noteEverybody(std::uint32_t comm, std::uint32_t point) {
    for (Group& group : groups_)
        if (group.comm == comm) {
            group.point = point;
            return;
        }
    groups_.push_back({comm, point});
}

std::uint32_t CommonPoints::last(std::uint32_t process) const {
    const auto known = byProcess_.find(process);
    std::uint32_t latest = known != byProcess_.end() ? known->second : kNone;
    for (const Group& group : groups_)
        if ((latest == kNone || group.point > latest) && memberships_.contains(group.comm, process))
            latest = group.point;
    return latest;
}

std::uint32_t CommonPointsOfThreads::last(std::uint32_t thread, std::uint32_t end) const {
    const auto known = byThread_.find(thread);
    const std::uint32_t ofTwo = known != byThread_.end() ? known->second : kNone;
    for (std::uint32_t i = list_.lastOfTeam(end, ofTwo + 1); i != kNone; i = list_.lastOfTeam(i, ofTwo + 1))
        if (isAtMeeting(thread, list_.meeting(i))) return i;
    return ofTwo;
}

bool CommonPointsOfThreads::isAtMeeting(std::uint32_t thread, std::uint32_t meeting) const {
    return points_.membersOf(points_.meetings[meeting]).hasLocation(thread);
}

}  // namespace holos::analyzer::causes
