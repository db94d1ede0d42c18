// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "algebra/files/foreign/imported_tree.h"

namespace holos::algebra {

/// Values of one thread that files have with those of what is below, in a tree of places that is finer than
/// the call tree: statements and loops belong to the call path of their function.
class InclusiveValues {
  public:
    /// What values were rounded by, as a part of them: what is left of a call path and less than that, is
    /// nothing.
    explicit InclusiveValues(double rounding) : rounding_(rounding) {}

    /// A place's value, which is part of that of the place above it.
    void add(MetricId metric, CallPathId path, std::optional<CallPathId> above, double value) {
        Sum& sum = sums_[metric][path.index()];
        sum.own += value;
        sum.largest = std::max(sum.largest, std::abs(value));
        if (above) sums_[metric][above->index()].own -= value;
    }

    /// What is left of each call path itself.
    void addTo(ImportedTree& tree, LocationId location) const {
        for (const auto& [metric, byPath] : sums_)
            for (const auto& [path, sum] : byPath)
                if (sum.own > rounding_ * sum.largest) tree.add(metric, CallPathId(path), location, sum.own);
    }

  private:
    struct Sum {
        double own = 0.0;
        double largest = 0.0;
    };
    double rounding_;
    std::map<MetricId, std::unordered_map<std::size_t, Sum>> sums_;
};

}  // namespace holos::algebra
