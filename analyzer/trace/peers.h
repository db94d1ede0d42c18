// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/trace/definitions.h"

namespace holos::analyzer::trace {

/// The process that a rank of a communicator means for an event at `self`; nothing when there is no such
/// rank.
std::optional<ProcessId> peerProcess(const Definitions& definitions, std::uint32_t comm, LocationId self,
                                     std::uint32_t rank);

}  // namespace holos::analyzer::trace
