// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <functional>
#include <optional>
#include <vector>

#include "algebra/model/queries.h"

namespace holos::gui {

/// A row of a tree.
using NodeId = algebra::Id<struct RowTag>;

/// The rows of a tree: their names, what stands below what, which are expanded, and which were found. Rows
/// are nodes with numbers that stay the same.
class RowTree {
  public:
    /// Below `parent`, or at the top.
    NodeId add(const QString& name, std::optional<NodeId> parent);

    std::size_t size() const { return rows_.size(); }
    /// All rows, in the order in which they were added.
    algebra::Ids<NodeId> ids() const { return algebra::Ids<NodeId>(rows_.size()); }
    const std::vector<NodeId>& roots() const { return roots_; }
    const std::vector<NodeId>& childrenOf(NodeId node) const { return rows_[node.index()].children; }
    std::optional<NodeId> parentOf(NodeId node) const;
    /// Among those with the same parent.
    int positionOf(NodeId node) const { return rows_[node.index()].position; }
    int depthOf(NodeId node) const { return rows_[node.index()].depth; }
    const QString& nameOf(NodeId node) const { return rows_[node.index()].name; }
    /// The names from the root to the node.
    QString pathOf(NodeId node) const;

    bool isExpanded(NodeId node) const { return rows_[node.index()].expanded; }
    /// False where nothing changes.
    bool setExpanded(NodeId node, bool expanded);
    void setAllExpanded(bool expanded);
    /// Ascending.
    std::vector<NodeId> expanded() const;
    /// What is not hidden in a collapsed node, from top to bottom.
    std::vector<NodeId> visible() const;
    /// The extent in which a node's value is shown.
    algebra::Extent extentOf(NodeId node) const;
    /// From now on, whether a node is expanded or not, its value includes what is below it.
    void showInclusive() { isInclusive_ = true; }
    bool isInclusive() const { return isInclusive_; }

    /// Puts the rows below a node, or those at the top, into another order; equal ones keep theirs.
    void arrange(std::optional<NodeId> parent, const std::function<bool(NodeId, NodeId)>& isBefore);

    /// Has the node and what is below it alone, everything collapsed; nothing: the whole tree again.
    void reroot(std::optional<NodeId> node);
    bool isRerooted() const { return cut_.has_value(); }
    /// False for a node that re-rooting left out.
    bool contains(NodeId node) const;

    /// Marks the names that the regular expression `text` matches somewhere (any case); what is none is taken
    /// literally. Returns the matching nodes from top to bottom.
    std::vector<NodeId> find(const QString& text);
    bool isFound(NodeId node) const { return rows_[node.index()].found; }

    /// Names the node for those who reopen the same file: percent-encoded names from the root, between `/`;
    /// `;2` marks the second of siblings with one name.
    QString keyOf(NodeId node) const;
    std::optional<NodeId> withKey(const QString& key) const;

  private:
    struct Row {
        std::optional<NodeId> parent;
        int position = 0;
        int depth = 0;
        bool expanded = false;
        bool found = false;
        std::vector<NodeId> children;
        QString name;
    };
    /// A row that stands at the top, and what stands there otherwise.
    struct Cut {
        NodeId node;
        Row row;
        std::vector<NodeId> roots;
    };

    QString segmentOf(NodeId node) const;

    std::vector<Row> rows_;
    std::vector<NodeId> roots_;
    std::optional<Cut> cut_;
    bool isInclusive_ = false;
};

}  // namespace holos::gui
