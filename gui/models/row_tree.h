// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <functional>
#include <optional>
#include <vector>

#include "algebra/model/queries.h"

namespace holos::gui {

/// The rows of a tree: their names, what stands below what, which are expanded, and which were found. Rows
/// are nodes with numbers that stay the same.
class RowTree {
  public:
    /// Below `parent`, or at the top.
    int add(const QString& name, std::optional<int> parent);

    int size() const { return static_cast<int>(rows_.size()); }
    const std::vector<int>& roots() const { return roots_; }
    const std::vector<int>& childrenOf(int node) const { return rows_[node].children; }
    std::optional<int> parentOf(int node) const;
    /// Among those with the same parent.
    int positionOf(int node) const { return rows_[node].position; }
    int depthOf(int node) const { return rows_[node].depth; }
    const QString& nameOf(int node) const { return rows_[node].name; }
    /// The names from the root to the node.
    QString pathOf(int node) const;

    bool isExpanded(int node) const { return rows_[node].expanded; }
    /// False where nothing changes.
    bool setExpanded(int node, bool expanded);
    void setAllExpanded(bool expanded);
    /// Ascending.
    std::vector<int> expanded() const;
    /// What is not hidden in a collapsed node, from top to bottom.
    std::vector<int> visible() const;
    /// The extent in which a node's value is shown.
    algebra::Extent extentOf(int node) const;
    /// From now on, whether a node is expanded or not, its value includes what is below it.
    void showInclusive() { isInclusive_ = true; }
    bool isInclusive() const { return isInclusive_; }

    /// Puts the rows below a node, or those at the top, into another order; equal ones keep theirs.
    void arrange(std::optional<int> parent, const std::function<bool(int, int)>& isBefore);

    /// Has the node and what is below it alone, everything collapsed; nothing: the whole tree again.
    void reroot(std::optional<int> node);
    bool isRerooted() const { return cut_.has_value(); }
    /// False for a node that re-rooting left out.
    bool contains(int node) const;

    /// Marks the names that the regular expression `text` matches somewhere (any case); what is none is taken
    /// literally. Returns the matching nodes from top to bottom.
    std::vector<int> find(const QString& text);
    bool isFound(int node) const { return rows_[node].found; }

    /// Names the node for those who reopen the same file: percent-encoded names from the root, between `/`;
    /// `;2` marks the second of siblings with one name.
    QString keyOf(int node) const;
    std::optional<int> withKey(const QString& key) const;

  private:
    struct Row {
        int parent = -1;
        int position = 0;
        int depth = 0;
        bool expanded = false;
        bool found = false;
        std::vector<int> children;
        QString name;
    };
    /// A row that stands at the top, and what stands there otherwise.
    struct Cut {
        int node = 0;
        Row row;
        std::vector<int> roots;
    };

    QString segmentOf(int node) const;

    std::vector<Row> rows_;
    std::vector<int> roots_;
    std::optional<Cut> cut_;
    bool isInclusive_ = false;
};

}  // namespace holos::gui
