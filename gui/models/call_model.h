// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gui/models/tree_model.h"

namespace holos::gui {

/// The middle pane: the call tree with the values of one metric, summed over all locations. 100 percent is
/// the value of the selected metric. A node's number is its call path's id.
class CallModel : public TreeModel {
  public:
    explicit CallModel(ValueCache& cache);

    /// Asks for the metric's values when they are first shown.
    void setMetric(algebra::MetricChoice metric);

    algebra::CallPathId pathAt(const QModelIndex& index) const;
    QModelIndex indexOfPath(algebra::CallPathId path) const;
    algebra::CallPathChoice choice(const QModelIndex& index) const;
    /// `MPI_Recv`, or how many call paths, for the title of the next pane.
    QString choiceText(const QModelIndexList& chosen) const;

  protected:
    double value(int node, algebra::Extent extent) const override;
    double percentBase(int node) const override;
    double metricBase(int node) const override;
    algebra::MetricId metricIdOf(int node) const override;
    int groupOf(int) const override { return 0; }
    QString toolTip(int node) const override;

  private:
    algebra::MetricChoice metric_{};
    mutable Values inclusive_;
    mutable Values exclusive_;
};

}  // namespace holos::gui
