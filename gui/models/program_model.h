// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "base/function_name.h"
#include "gui/models/tree_model.h"

namespace holos::gui {

/// The callee with where it is called, and the parameters that tell one call path from its siblings.
QString callName(const algebra::Experiment& experiment, algebra::CallPathId path);

/// What the pane of the program shows: rows that each stand for call paths, with the values of one metric,
/// summed over the selected locations. 100 percent is the metric's value there.
class ProgramModel : public TreeModel {
  public:
    using TreeModel::TreeModel;

    /// No locations stands for all of them. Asks for values when they are first shown.
    void setContext(algebra::MetricChoice metric, algebra::ChosenLocations locations);

    virtual std::vector<algebra::CallPathChoice> choices(const QModelIndex& index) const = 0;
    /// The row that has the call path.
    virtual QModelIndex indexOfPath(algebra::CallPathId path) const = 0;
    /// `MPI_Recv`, or how many rows, for the title of the next pane.
    QString choiceText(const QModelIndexList& chosen) const;

    /// Writes long names of functions whole, or as they are read best.
    void setWholeNames(bool whole);
    QString shownName(NodeId node) const override;

  protected:
    std::optional<double> visits(NodeId node) const override;
    double valueThere(NodeId node) const override;
    void forgetThere() override;
    double percentBase(NodeId node) const override;
    double metricBase(NodeId node) const override;
    algebra::MetricId metricIdOf(NodeId) const override { return metric_.metric; }
    NodeId groupOf(NodeId) const override { return {}; }
    /// What a row has with everything below it.
    virtual std::vector<algebra::CallPathChoice> everythingOf(NodeId node) const = 0;
    /// False for a row that stands for what is below it alone, and is selected with all of that.
    virtual bool hasOwnValues(NodeId) const { return true; }

    algebra::MetricChoice metric() const { return metric_; }
    const algebra::ChosenLocations& locations() const { return locations_; }
    /// One value per call path.
    const std::vector<double>& pathValues(algebra::Extent extent) const;
    /// Forgets what was derived from `values`.
    virtual void forget() {}

  private:
    algebra::MetricChoice metric_{};
    algebra::ChosenLocations locations_ = kAll;
    mutable Values inclusive_;
    mutable Values exclusive_;
    mutable std::optional<double> base_;
    mutable Values visits_;  ///< by call path
    /// By extent and call path, in the other experiment; empty: not asked for yet.
    mutable std::array<std::vector<double>, 2> there_;
    bool wholeNames_ = false;
    mutable std::optional<ShortNames> shortNames_;
};

}  // namespace holos::gui
