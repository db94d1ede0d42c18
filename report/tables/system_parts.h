// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algebra/model/queries.h"

namespace holos::tables {

/// What of the system has one value: every thread, or all threads of a process or node together.
enum class Per : unsigned char { Threads, Processes, Nodes };

struct SystemPart {
    algebra::SystemNodeId node;
    std::optional<algebra::ProcessId> process;    ///< none for a node
    std::optional<algebra::LocationId> location;  ///< none for a node or a process
};

/// All parts in the order of the system. Nodes are those that have processes of their own.
std::vector<SystemPart> partsOf(const algebra::SystemTree& system, Per per);

/// The locations of each part.
algebra::LocationGroups groupsOf(const algebra::SystemTree& system, const std::vector<SystemPart>& parts);

/// Which parts are compared with each other by these values of theirs (`algebra/model/compared.h`).
std::vector<bool> comparedParts(const algebra::SystemTree& system, Per per,
                                const std::vector<double>& values);

/// `4 locations`, `4 locations, 2 of them threads`
std::string locationCounts(const algebra::SystemTree& system);

/// `node 1`, `MPI Rank 1`, `MPI Rank 1 / Master thread`
std::string partText(const algebra::Experiment& experiment, const SystemPart& part);

/// `location`, `processes`, …: so many of them.
const char* nounOf(Per per, std::size_t number);

}  // namespace holos::tables
