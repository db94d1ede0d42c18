// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "gui/models/program_model.h"

namespace holos::gui {

/// Rows that each stand for several call paths, of which they add up the values. Where the metric is not a
/// sum, it is evaluated over all of them.
class PathSetModel : public ProgramModel {
  public:
    using ProgramModel::ProgramModel;

    std::vector<algebra::CallPathChoice> choices(const QModelIndex& index) const override;
    QModelIndex indexOfPath(algebra::CallPathId path) const override;

  protected:
    /// Which call paths a row has with what is below it, or by itself. A row that has none by itself is
    /// selected with all of them.
    virtual std::vector<algebra::CallPathChoice> choicesOf(NodeId node, algebra::Extent extent) const = 0;
    /// A call path of a row, of which `indexOfPath` leads to the row added last.
    void addPath(NodeId node, algebra::CallPathId path);
    const std::vector<algebra::CallPathId>& pathsOf(NodeId node) const { return paths_[node.index()]; }

    double value(NodeId node, algebra::Extent extent) const override;
    std::vector<algebra::CallPathChoice> everythingOf(NodeId node) const override {
        return choicesOf(node, algebra::Extent::Inclusive);
    }
    bool hasOwnValues(NodeId node) const override {
        return !choicesOf(node, algebra::Extent::Exclusive).empty();
    }
    QString toolTip(NodeId node) const override;
    void forget() override;

  private:
    double evaluated(NodeId node, algebra::Extent extent) const;

    std::vector<std::vector<algebra::CallPathId>> paths_;  ///< by node
    std::vector<NodeId> rows_;                             ///< by call path
    /// By extent and node.
    mutable std::array<std::vector<std::optional<double>>, 2> known_;
};

/// The call tree with loops folded: calls of one region from one place in the tree are one row, whatever
/// their parameters (such as the iteration) and their lines.
class FoldedModel : public PathSetModel {
  public:
    explicit FoldedModel(ValueCache& cache);

  protected:
    std::vector<algebra::CallPathChoice> choicesOf(NodeId node, algebra::Extent extent) const override;
};

}  // namespace holos::gui
