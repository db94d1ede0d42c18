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

int RowTree::add(const QString& name, std::optional<int> parent) {
    const int node = size();
    auto& siblings = parent ? rows_[*parent].children : roots_;
    Row row;
    row.parent = parent.value_or(-1);
    row.position = static_cast<int>(siblings.size());
    row.depth = parent ? rows_[*parent].depth + 1 : 0;
    row.name = onOneLine(name);
    siblings.push_back(node);
    rows_.push_back(std::move(row));
    return node;
}

std::optional<int> RowTree::parentOf(int node) const {
    return rows_[node].parent < 0 ? std::nullopt : std::optional(rows_[node].parent);
}

QString RowTree::pathOf(int node) const {
    QStringList names;
    for (std::optional<int> at = node; at; at = parentOf(*at)) names.prepend(rows_[*at].name);
    return names.join(u" / "_qs);
}

bool RowTree::setExpanded(int node, bool expanded) {
    return std::exchange(rows_[node].expanded, expanded) != expanded;
}

void RowTree::setAllExpanded(bool expanded) {
    for (Row& row : rows_) row.expanded = expanded && !row.children.empty();
}

std::vector<int> RowTree::expanded() const {
    std::vector<int> expanded;
    for (int node = 0; node < size(); ++node)
        if (rows_[node].expanded) expanded.push_back(node);
    return expanded;
}

std::vector<int> RowTree::visible() const {
    std::vector<int> visible;
    std::vector<int> open(roots_.rbegin(), roots_.rend());
    while (!open.empty()) {
        const int node = open.back();
        open.pop_back();
        visible.push_back(node);
        if (isExpanded(node)) open.insert(open.end(), childrenOf(node).rbegin(), childrenOf(node).rend());
    }
    return visible;
}

Extent RowTree::extentOf(int node) const {
    const bool isOpen = rows_[node].expanded && !rows_[node].children.empty();
    return isOpen && !isInclusive_ ? Extent::Exclusive : Extent::Inclusive;
}

void RowTree::arrange(std::optional<int> parent, const std::function<bool(int, int)>& isBefore) {
    std::vector<int>& children = parent ? rows_[*parent].children : roots_;
    std::ranges::stable_sort(children, isBefore);
    for (std::size_t at = 0; at < children.size(); ++at) {
        // A row that stands at the top for now has this place when it comes back.
        const bool isCut = parent && cut_ && children[at] == cut_->node;
        (isCut ? cut_->row : rows_[children[at]]).position = static_cast<int>(at);
    }
}

void RowTree::reroot(std::optional<int> node) {
    if (cut_) {
        rows_[cut_->node].parent = cut_->row.parent;
        rows_[cut_->node].position = cut_->row.position;
        roots_ = std::move(cut_->roots);
        cut_.reset();
    }
    if (node) {
        Row& top = rows_[*node];
        cut_ = Cut{*node, top, std::exchange(roots_, {*node})};
        top.parent = -1;
        top.position = 0;
    }
    setAllExpanded(false);
}

bool RowTree::contains(int node) const {
    if (!cut_) return true;
    int top = node;
    while (rows_[top].parent >= 0) top = rows_[top].parent;
    return top == cut_->node;
}

std::vector<int> RowTree::find(const QString& text) {
    QRegularExpression pattern(text, QRegularExpression::CaseInsensitiveOption);
    if (!pattern.isValid()) pattern.setPattern(QRegularExpression::escape(text));
    std::vector<int> found;
    std::vector<int> open(roots_.rbegin(), roots_.rend());
    while (!open.empty()) {
        const int node = open.back();
        open.pop_back();
        Row& row = rows_[node];
        row.found = !text.isEmpty() && row.name.contains(pattern);
        if (row.found) found.push_back(node);
        open.insert(open.end(), row.children.rbegin(), row.children.rend());
    }
    return found;
}

QString RowTree::segmentOf(int node) const {
    const auto up = parentOf(node);
    int twins = 1;
    // In the order in which they were added, whatever they are sorted by.
    for (const int sibling : up ? childrenOf(*up) : roots_)
        if (sibling < node && rows_[sibling].name == rows_[node].name) ++twins;
    const QString name = QString::fromLatin1(QUrl::toPercentEncoding(rows_[node].name, ":@() "));
    return twins == 1 ? name : name + u';' + QString::number(twins);
}

QString RowTree::keyOf(int node) const {
    QStringList segments;
    for (std::optional<int> at = node; at; at = parentOf(*at)) segments.prepend(segmentOf(*at));
    return segments.join(u'/');
}

std::optional<int> RowTree::withKey(const QString& key) const {
    std::optional<int> found;
    for (const QString& segment : key.split(u'/')) {
        const QString name = QUrl::fromPercentEncoding(segment.section(u';', 0, 0).toUtf8());
        int twins = std::max(1, segment.section(u';', 1).toInt());
        std::vector<int> called;
        for (const int child : found ? childrenOf(*found) : roots_)
            if (rows_[child].name == name) called.push_back(child);
        if (static_cast<int>(called.size()) < twins) return std::nullopt;
        std::nth_element(called.begin(), called.begin() + (twins - 1), called.end());
        found = called[static_cast<std::size_t>(twins - 1)];
    }
    return found;
}

}  // namespace holos::gui
