// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// Something that `check` found.
struct Finding {
    enum class Kind : unsigned char {
        Problem,  ///< the experiment contradicts itself or cannot be evaluated
        Note,     ///< worth knowing, and no fault
    };
    Kind kind = Kind::Problem;
    std::string text;  ///< a sentence; the metric is named in it
    /// The first place, where it is about values.
    std::optional<CallPathId> path = {};
    std::optional<LocationId> location = {};
};

/// What is expected of the values.
struct Expectation {
    bool mayBeNegative = false;  ///< the experiment is a difference
};

/// Looks at every metric: values that are not finite, negative, or larger than those of the metric above
/// them; sums that do not hold; whole numbers that a double cannot hold; expressions that cannot be evaluated
/// or refer to nothing; names that are there twice. Loads all values; a damaged metric is a problem, too.
std::vector<Finding> check(const Experiment& experiment, const Expectation& expectation = {});

}  // namespace holos::algebra
