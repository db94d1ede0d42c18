// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// An experiment whose metrics all have stored values, for readers that evaluate no expressions.
struct Plain {
    Experiment experiment;
    std::vector<std::string> evaluated;  ///< metrics, by unique name, of which the values are stored now
    std::vector<std::string> leftOut;    ///< that have no values which could be added up, or none at all
};

/// Expressions that are evaluated for each call path and location are replaced by their values. A metric that
/// is evaluated after its operands were added up, as ratios are, has no values that may be added up: it is
/// left out, and what stood below it stands on its own. Memory: that of the values which are evaluated.
Plain plain(const Experiment& experiment);

}  // namespace holos::algebra
