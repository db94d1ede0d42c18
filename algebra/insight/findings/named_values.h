// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "algebra/model/metric_values.h"
#include "metric-specs/formula.h"

namespace holos::algebra {

/// Values of formulas over the metrics of a derived experiment, which are known by the names that its
/// specification has for them. Values are those of call paths alone, over all locations. Each metric is
/// evaluated once.
///
/// Thread safety: one thread.
class NamedValues {
  public:
    explicit NamedValues(const Experiment& experiment);

    /// The metric of this name: one that the specification defines, or what was measured under it.
    std::optional<MetricId> find(const std::string& name) const;

    /// The percentage of two sums over call paths that no metric is.
    struct Share {
        std::vector<double> part;   ///< by CallPathId
        std::vector<double> whole;  ///< the same
    };
    void addShare(const std::string& name, Share share) { shares_.insert_or_assign(name, std::move(share)); }

    bool isKnown(const std::string& name) const { return shares_.contains(name) || find(name); }
    /// Empty for a number of things.
    std::string unitOf(const std::string& name) const;

    /// By CallPathId. All terms of the formula must be there; a quotient by 0 is NaN.
    std::vector<double> perCallPath(const specs::Formula& formula);
    const std::vector<double>& perCallPath(MetricId metric);

    /// Over these call paths together.
    double of(const specs::Formula& formula, const std::vector<CallPathId>& paths) const;
    double of(MetricId metric, const std::vector<CallPathId>& paths) const;

  private:
    std::vector<double> perCallPath(const std::string& name);
    double of(const std::string& name, const std::vector<CallPathId>& paths) const;

    const Experiment& experiment_;
    std::unordered_map<std::string, MetricId> names_;
    std::map<std::string, Share> shares_;
    MetricValues values_;
    std::map<MetricId, std::vector<double>> known_;
};

}  // namespace holos::algebra
