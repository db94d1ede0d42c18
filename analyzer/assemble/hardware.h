// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "algebra/model/experiment.h"
#include "analyzer/trace/definitions.h"

namespace holos::analyzer::assemble {

/// Gives nodes and locations the properties that the trace's writer gave them, and the experiment the machine
/// as a topology where they tell of it.
void addHardware(algebra::Experiment& experiment, const trace::Definitions& definitions);

/// The machine as a grid in which each thread stands where it was found for the longest time: cores of a
/// socket, hardware threads of a core, sockets of a node, nodes. Dimensions of size 1 are left out, but for
/// the cores. Nothing where it is known of no thread.
std::optional<algebra::Topology> hardwareTopology(const algebra::SystemTree& system);

}  // namespace holos::analyzer::assemble
