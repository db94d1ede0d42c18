// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What becomes of what an experiment says of its run beside the values, when operators make another one:
// files that it carries along, and attributes with times (how long the run took, how long its threads were on
// processors and waited for them, how much its machines' processors were in use).

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

/// For values that are not those of a whole run.
void forgetTimesOfRun(Experiment& experiment);

/// For values that were multiplied by a positive number.
void scaleTimesOfRun(Experiment& experiment, double factor);

/// For values that are the sum over the inputs, times a factor for each: the same sum, where all inputs say
/// the time; what an input has no location of counts as 0. Otherwise, and without factors, what all inputs
/// say alike stays. How the processes ended stays where all of them ended alike, as well.
void combineTimesOfRun(Union& united, const Inputs& inputs, const std::vector<double>& factors);

}  // namespace holos::algebra
