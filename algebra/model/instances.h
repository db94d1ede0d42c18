// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// The member of `Experiment::files` that holds the longest waits of each pattern, as the analysis of a trace
/// found them: lines of fields between tabulators, below a heading of their names.
inline constexpr const char* kInstancesFile = "holos.instances";

/// One wait, to look at in the trace.
struct WaitInstance {
    std::string metric;    ///< unique name
    double wait = 0.0;     ///< seconds
    double begin = 0.0;    ///< of the call that waits, seconds since the trace's start
    std::string location;  ///< process and thread, as `MPI Rank 1 / Master thread`
    std::string awaited;   ///< the same; empty where it is not one that is waited for
    std::string callPath;  ///< names from the root between `/`
};

/// In the order of the file, which is by metric and then from long to short. Nothing where the experiment has
/// none; lines that are none are passed over.
std::vector<WaitInstance> instancesOf(const Experiment& experiment);

}  // namespace holos::algebra
