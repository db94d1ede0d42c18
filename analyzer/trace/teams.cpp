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

}  // namespace holos::analyzer::trace
