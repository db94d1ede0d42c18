// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// What becomes one location.
enum class CollapseTo : std::uint8_t {
    Processes,  ///< the locations of a process
    Nodes,      ///< the processes that stand directly below one node of the system tree
    One,        ///< everything
};

/// A smaller system tree, with the values of what falls together added up. Sums over the whole system stay as
/// they were. Topologies keep the places of processes where processes stay, and are dropped otherwise.
Experiment collapse(Experiment experiment, CollapseTo level);

/// Makes the systems of several experiments alike: one location per process where they differ in threads
/// only, and one location where they differ in processes. Systems with the same ranks and thread numbers
/// stay.
std::vector<Experiment> collapseWhereDifferent(std::vector<Experiment> experiments);

}  // namespace holos::algebra
