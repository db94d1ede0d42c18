// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <unordered_map>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// Keeps in a difference what each metric was in the whole of the first experiment: shares of a difference
/// are of that, because a part of it may be larger than the whole, and have the other sign.
void keepTotalsOfFirst(const Experiment& first, Experiment& difference);

/// What shares of the values of metrics are of.
class Wholes {
  public:
    explicit Wholes(const Experiment& experiment);

    /// The metric's value in the whole experiment, or in the first one of a difference. NaN where there is
    /// none: it is 0, or the difference does not say it.
    double of(MetricId metric) const;
    bool areOfFirst() const { return isOfDifference_; }

  private:
    const Experiment& experiment_;
    bool isOfDifference_ = false;
    std::unordered_map<std::string, double> first_;
};

}  // namespace holos::algebra
