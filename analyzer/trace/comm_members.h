// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/trace/definitions.h"

namespace holos::analyzer::trace {

/// Whether a communicator can be a team of threads: one of OpenMP, or one whose members share a process.
bool canBeTeam(const Comm& comm, const Definitions& definitions);
/// By location: whether it is a member of a team of OpenMP.
std::vector<char> membersOfTeams(const Definitions& definitions);

/// The process that a rank of a communicator means for an event at `self`; nothing when there is no such
/// rank.
std::optional<ProcessId> peerProcess(const Definitions& definitions, std::uint32_t comm, LocationId self,
                                     std::uint32_t rank);

}  // namespace holos::analyzer::trace
