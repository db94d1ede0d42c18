// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// A process with the threads that count: the first, and those that do not only sleep.
struct CountedProcess {
    ProcessId process;
    std::vector<LocationId> threads;
};

/// In the order of the system tree. A thread beside the first of its process that sleeps for more than 95 %
/// of its time (in the system, until a condition is signalled, or in a way that was not seen) is no
/// processor's, unless others wait for it. Processes without threads are left out.
std::vector<CountedProcess> countedProcesses(const Experiment& experiment);

}  // namespace holos::algebra
