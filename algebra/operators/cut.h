// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// What `cut` leaves of a call tree. Everything that is given holds at once.
struct Cut {
    /// Names of regions: their outermost call paths become the roots, all others disappear.
    std::vector<std::string> roots = {};
    /// Names of regions: their call paths and all below become part of the caller.
    std::vector<std::string> prune = {};
    /// Of roots: 1. Deeper call paths become part of the one at this depth.
    std::optional<std::size_t> depth = std::nullopt;
    /// A call path with less than this share, 0 to 1, of the metric's value, with all below it, becomes part
    /// of its caller.
    struct Share {
        std::string metric;
        double least = 0.0;
    };
    std::optional<Share> share = std::nullopt;
};

/// A smaller call tree. What becomes part of a caller adds its values to the caller's own, visits too, so
/// that inclusive values of what remains stay as they were. Shares are those of the tree with its new roots;
/// of metrics with negative values the magnitude counts. Throws Error for a name of a region or metric that
/// does not occur, for roots that are to be pruned, and for a depth of 0.
Experiment cut(Experiment experiment, const Cut& how);

}  // namespace holos::algebra
