// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <utility>

#include "gui/models/tree_model.h"

namespace holos::gui {

/// As it is displayed, with `~` in front while it is incomplete.
QString nameOf(const algebra::Metric& metric);

/// Metric hierarchies, each with a scale and a unit of its own; what stands below a metric without values is
/// one for itself. 100 percent is the inclusive value of the hierarchy's root. Ghost metrics are left out,
/// with everything below them. The colour of a root that is collapsed says its share of the run's time, where
/// it is a time.
class MetricModel : public TreeModel {
  public:
    explicit MetricModel(ValueCache& cache);

    /// Values are those of these call paths and locations.
    void setContext(algebra::ChosenPaths paths, algebra::ChosenLocations locations);

    algebra::MetricId metricAt(const QModelIndex& index) const { return metrics_[nodeOf(index).index()]; }
    algebra::MetricChoice choice(const QModelIndex& index) const;
    /// The first metric with this unique name or else this display name (`~` and case aside); invalid if
    /// none.
    QModelIndex findMetric(const QString& name) const;

    /// `Late Sender`, with `only` behind it while its children have values of their own.
    QString choiceText(const QModelIndex& index) const;

  protected:
    double value(NodeId node, algebra::Extent extent) const override;
    double percentBase(NodeId node) const override;
    double metricBase(NodeId node) const override;
    algebra::MetricId metricIdOf(NodeId node) const override;
    NodeId groupOf(NodeId node) const override { return hierarchies_[node.index()]; }
    std::optional<double> whole(NodeId node) const override;
    bool hasSeveralGroups() const override { return true; }
    double valueThere(NodeId node) const override;
    void forgetThere() override { there_.clear(); }
    QString toolTip(NodeId node) const override;

  private:
    double total(algebra::MetricChoice choice) const;
    void addTree(algebra::MetricId id, std::optional<NodeId> parent);

    std::vector<algebra::MetricId> metrics_;
    std::vector<NodeId> hierarchies_;        ///< by node: the root above it
    std::optional<algebra::MetricId> time_;  ///< the run's time
    algebra::ChosenPaths paths_ = kAll;
    algebra::ChosenLocations locations_ = kAll;
    mutable std::map<std::pair<algebra::MetricId, algebra::Extent>, double> totals_;
    mutable std::map<NodeId, double> there_;  ///< by node
};

}  // namespace holos::gui
