// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/comm_members.h"

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

std::optional<ProcessId> peerProcess(const Definitions& definitions, std::uint32_t comm, LocationId self,
                                     std::uint32_t rank) {
    const Comm& known = definitions.comms[comm];
    const ProcessId own = definitions[self].process;
    if (known.isSelf) return rank == 0 ? std::optional(own) : std::nullopt;
    const std::vector<LocationId>* ranks = known.globalRanks.empty() ? &known.members : &known.globalRanks;
    if (known.isInter()) {
        const bool inFirst = std::ranges::any_of(
            known.members, [&](LocationId member) { return definitions[member].process == own; });
        if (inFirst) ranks = &known.remoteMembers;
    }
    if (rank >= ranks->size()) return std::nullopt;
    return definitions[(*ranks)[rank]].process;
}

}  // namespace holos::analyzer::trace
