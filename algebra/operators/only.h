// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// A part of an experiment.
struct Only {
    /// By CallPathId: whether its own values count. Empty: those of all do.
    std::vector<bool> callPaths = {};
    /// By LocationId: whether it stays. Empty: all stay.
    std::vector<bool> locations = {};
    /// What that is, in a few words: `MPI Rank 1`.
    std::string name = {};
};

/// The values of a part of the call tree and of the system alone. Callers of what counts stay, without values
/// of their own, so that call paths keep their names; processes and machines stay as long as they have
/// locations. What was found out about the whole run is left out where nobody knows it of the part: waits
/// over time, what a replay gained, and, of some call paths or some threads of a process, who sent to whom.
/// `partOfRun` tells the name. Throws Error where nothing is left.
Experiment only(Experiment experiment, const Only& part);

}  // namespace holos::algebra
