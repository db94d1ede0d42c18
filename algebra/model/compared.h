// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/model/structure.h"

namespace holos::algebra {

/// Whether a location runs the program. Others only carry counters or samples, or are streams of an
/// accelerator.
bool isThread(const Location&);

/// Whose values of one metric are compared with each other, averaged and counted: the program's threads, by
/// LocationId. Locations that are no threads are compared only where no thread has a value and they have one,
/// such as those with the memory of each process.
std::vector<bool> comparedLocations(const SystemTree&, const std::vector<double>& valueOfEach);
/// As `comparedLocations`, of processes: those of the program, and not the groups that only hold counters or
/// accelerators.
std::vector<bool> comparedProcesses(const SystemTree&, const std::vector<double>& valueOfEach);

/// The values, with NaN in place of each that is not compared: statistics leave these out.
std::vector<double> onlyCompared(std::vector<double> values, const std::vector<bool>& isCompared);

}  // namespace holos::algebra
