// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// Something that holds of the results of every run, but not of these.
struct BrokenResultLaw {
    std::string text;                  ///< a sentence with both numbers, without a full stop
    std::vector<std::string> metrics;  ///< unique names of those of which nothing can be said
};

/// Of a run: computation above the average is as much as below it; others are blamed for no more waiting than
/// there is. What is made of several experiments
/// need not obey, and is not tested. Pure; thread safety: safe.
std::vector<BrokenResultLaw> brokenResultLaws(const Experiment& experiment);

}  // namespace holos::algebra
