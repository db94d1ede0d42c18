// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "base/chosen.h"
#include "gui/models/row_tree.h"

class QTreeView;

namespace holos::gui {

class TreeModel;

/// Which rows of a tree are left out: those that have next to nothing, and those that a search does not lead
/// to.
class RowHiding {
  public:
    /// Leaves out what has, with everything below it, less than this part of 100 percent (0: nothing at all).
    void setBelow(std::optional<double> part) { below_ = part; }
    /// Leaves out what is neither one of these, nor above or below one.
    void setFound(const Chosen<NodeId>& nodes, const TreeModel& model);
    /// After the view has another model, or its model other rows: the view has forgotten what was hidden.
    void forget();
    /// Hides and shows rows of the view. What is selected stays, with everything above it. True where
    /// something changed.
    bool update(QTreeView& view, const TreeModel& model);
    /// How many rows have been left out for their values, and how much they have; empty: none.
    QString text(const TreeModel& model) const;

  private:
    struct Place {
        NodeId node;
        bool isBelowFound = false;
    };

    std::vector<bool> keptRows(const QTreeView& view, const TreeModel& model) const;
    bool isLeftOut(const Place& place, const TreeModel& model);

    std::optional<double> below_;
    std::vector<bool> isFound_;       ///< by node; empty: no search
    std::vector<bool> leadsToFound_;  ///< by node
    std::vector<bool> isHidden_;      ///< by node
    std::vector<NodeId> small_;       ///< left out for their values
};

}  // namespace holos::gui
