// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/teams.h"

#include <algorithm>

namespace holos::analyzer::trace {

bool canBeTeam(const Comm& comm, const Definitions& definitions) {
    if (comm.paradigm == Paradigm::OpenMp) return true;
    return std::ranges::all_of(comm.members, [&](LocationId member) {
        return definitions[member].process == definitions[comm.members.front()].process;
    });
}

std::vector<char> membersOfTeams(const Definitions& definitions) {
    std::vector<char> isMember(definitions.locations.size(), 0);
    for (const Comm& comm : definitions.comms)
        if (comm.paradigm == Paradigm::OpenMp)
            for (const LocationId member : comm.members) isMember[member.index()] = 1;
    return isMember;
}

}  // namespace holos::analyzer::trace
