// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/row_tree.h"

#include <QRegularExpression>
#include <QStringList>
#include <QUrl>
#include <algorithm>
#include <utility>

#include "gui/models/plain_text.h"

namespace holos::gui {

using algebra::Extent;

NodeId RowTree::add(const QString& name, std::optional<NodeId> parent) {
    const NodeId node(size());
    auto& siblings = parent ? rows_[parent->index()].children : roots_;
    Row row;
    row.parent = parent;
    row.position = static_cast<int>(siblings.size());
    row.depth = parent ? depthOf(*parent) + 1 : 0;
    row.name = onOneLine(name);
    siblings.push_back(node);
    rows_.push_back(std::move(row));
    return node;
}

std::optional<NodeId> RowTree::parentOf(NodeId node) const {
    return rows_[node.index()].parent;
}

QString RowTree::pathOf(NodeId node) const {
    QStringList names;
    for (std::optional<NodeId> at = node; at; at = parentOf(*at)) names.prepend(nameOf(*at));
    return names.join(u" / "_qs);
}

bool RowTree::setExpanded(NodeId node, bool expanded) {
    return std::exchange(rows_[node.index()].expanded, expanded) != expanded;
}

void RowTree::setAllExpanded(bool expanded) {
    for (Row& row : rows_) row.expanded = expanded && !row.children.empty();
}

std::vector<NodeId> RowTree::expanded() const {
    std::vector<NodeId> expanded;
    for (const NodeId node : ids())
        if (rows_[node.index()].expanded) expanded.push_back(node);
    return expanded;
}

std::vector<NodeId> RowTree::visible() const {
    std::vector<NodeId> visible;
    std::vector<NodeId> open(roots_.rbegin(), roots_.rend());
    while (!open.empty()) {
        const NodeId node = open.back();
        open.pop_back();
        visible.push_back(node);
        if (isExpanded(node)) open.insert(open.end(), childrenOf(node).rbegin(), childrenOf(node).rend());
    }
    return visible;
}

Extent RowTree::extentOf(NodeId node) const {
    const bool isOpen = rows_[node.index()].expanded && !rows_[node.index()].children.empty();
    return isOpen && !isInclusive_ ? Extent::Exclusive : Extent::Inclusive;
}

void RowTree::arrange(std::optional<NodeId> parent, const std::function<bool(NodeId, NodeId)>& isBefore) {
    std::vector<NodeId>& children = parent ? rows_[parent->index()].children : roots_;
    std::ranges::stable_sort(children, isBefore);
    for (std::size_t at = 0; at < children.size(); ++at) {
        // A row that stands at the top for now has this place when it comes back.
        const bool isCut = parent && cut_ && children[at] == cut_->node;
        (isCut ? cut_->row : rows_[children[at].index()]).position = static_cast<int>(at);
    }
}

void RowTree::reroot(std::optional<NodeId> node) {
    if (cut_) {
        rows_[cut_->node.index()].parent = cut_->row.parent;
        rows_[cut_->node.index()].position = cut_->row.position;
        roots_ = std::move(cut_->roots);
        cut_.reset();
    }
    if (node) {
        Row& top = rows_[node->index()];
        cut_ = Cut{*node, top, std::exchange(roots_, {*node})};
        top.parent.reset();
        top.position = 0;
    }
    setAllExpanded(false);
}

bool RowTree::contains(NodeId node) const {
    if (!cut_) return true;
    NodeId top = node;
    while (const auto up = parentOf(top)) top = *up;
    return top == cut_->node;
}

std::vector<NodeId> RowTree::find(const QString& text) {
    QRegularExpression pattern(text, QRegularExpression::CaseInsensitiveOption);
    if (!pattern.isValid()) pattern.setPattern(QRegularExpression::escape(text));
    std::vector<NodeId> found;
    std::vector<NodeId> open(roots_.rbegin(), roots_.rend());
    while (!open.empty()) {
        const NodeId node = open.back();
        open.pop_back();
        Row& row = rows_[node.index()];
        row.found = !text.isEmpty() && row.name.contains(pattern);
        if (row.found) found.push_back(node);
        open.insert(open.end(), row.children.rbegin(), row.children.rend());
    }
    return found;
}

QString RowTree::segmentOf(NodeId node) const {
    const auto up = parentOf(node);
    int twins = 1;
    // In the order in which they were added, whatever they are sorted by.
    for (const NodeId sibling : up ? childrenOf(*up) : roots_)
        if (sibling < node && nameOf(sibling) == nameOf(node)) ++twins;
    const QString name = QString::fromLatin1(QUrl::toPercentEncoding(nameOf(node), ":@() "));
    return twins == 1 ? name : name + u';' + QString::number(twins);
}

QString RowTree::keyOf(NodeId node) const {
    QStringList segments;
    for (std::optional<NodeId> at = node; at; at = parentOf(*at)) segments.prepend(segmentOf(*at));
    return segments.join(u'/');
}

std::optional<NodeId> RowTree::withKey(const QString& key) const {
    std::optional<NodeId> found;
    for (const QString& segment : key.split(u'/')) {
        const QString name = QUrl::fromPercentEncoding(segment.section(u';', 0, 0).toUtf8());
        int twins = std::max(1, segment.section(u';', 1).toInt());
        std::vector<NodeId> called;
        for (const NodeId child : found ? childrenOf(*found) : roots_)
            if (nameOf(child) == name) called.push_back(child);
        if (static_cast<int>(called.size()) < twins) return std::nullopt;
        std::nth_element(called.begin(), called.begin() + (twins - 1), called.end());
        found = called[static_cast<std::size_t>(twins - 1)];
    }
    return found;
}

}  // namespace holos::gui
