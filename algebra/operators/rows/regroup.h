// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// The experiment without its severities.
Experiment structureOf(const Experiment& experiment);

/// An experiment with the same values, for operators that take theirs over. Values are not read for it.
Experiment copyOf(const Experiment& experiment);

/// New trees for an experiment, and where the parts of the old ones go. Values whose call paths or locations
/// fall together are added, minima and maxima are kept as such.
struct Regrouping {
    CallTree callTree;
    SystemTree system;
    std::vector<std::optional<CallPathId>> callPaths;  ///< by old call path: the new one; nothing: left out
    std::vector<LocationId> locations;                 ///< by old location
};

/// The regrouping that changes nothing, to start from.
Regrouping unchanged(const Experiment& experiment);

/// Metrics, regions and everything else stay; values are regrouped row by row when they are asked for.
/// Values of several numbers are kept where both trees stay as they are, and lost otherwise. Topologies are
/// the caller's.
Experiment regroup(Experiment experiment, Regrouping regrouping);

}  // namespace holos::algebra
