// SPDX-License-Identifier: BSD-3-Clause
// What becomes of the files that an experiment carries along, where they say something of its run or of its
// metrics, when operators make another experiment.
#pragma once

#include <vector>

#include "algebra/operators/unite/unite.h"

namespace holos::algebra {

/// Removes a file from a combined experiment unless all inputs carry the same one: a specification, because
/// derived metrics of different ones cannot be derived again; the longest waits, because the result is no
/// run that could be looked at.
void keepSharedFile(Experiment& result, const Inputs& inputs, const char* name);

/// What each pair of processes exchanged becomes the sum over the inputs, times a factor for each, by the
/// divisor. Inputs that do not know it take no part; without factors nobody does.
void combineCommunication(Union& united, const Inputs& inputs, const std::vector<double>& factors,
                          double divisor = 1.0);

/// Combines communication for an experiment whose locations fall together. `locations` is by location of
/// `old`.
void regroupCommunication(Experiment& regrouped, const SystemTree& old,
                          const std::vector<LocationId>& locations);

}  // namespace holos::algebra
