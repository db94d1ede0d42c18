// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "algebra/model/queries.h"

namespace holos::gui {

/// Where the values of a tree's rows come from, and what they relate to.
class RowValues {
  public:
    virtual ~RowValues() = default;

    virtual double value(int node, algebra::Extent extent) const = 0;
    virtual algebra::MetricId metricIdOf(int node) const = 0;
    /// 100 percent for the node in the mode `Percent`.
    virtual double percentBase(int node) const = 0;
    /// 100 percent for the node in the mode `OfMetric`.
    virtual double metricBase(int node) const = 0;
    /// Nodes of a group share one scale. A group is named by one of its nodes.
    virtual int groupOf(int node) const = 0;
    /// Whether the node is compared with those beside it.
    virtual bool isPeer(int) const { return true; }
    /// What the colours of a collapsed root relate to beside its own value: the run's time, where it is a
    /// time; nothing: its own value alone.
    virtual std::optional<double> whole(int) const { return std::nullopt; }
    /// True when groups have to be found by name in another model.
    virtual bool hasSeveralGroups() const { return false; }
};

}  // namespace holos::gui
