// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/trees/row_hiding.h"

#include <QTreeView>
#include <algorithm>

#include "gui/models/tree_model.h"

namespace holos::gui {

void RowHiding::setFound(const Chosen<NodeId>& nodes, const TreeModel& model) {
    isFound_.clear();
    leadsToFound_.clear();
    if (nodes.isAll()) return;
    const RowTree& rows = model.rows();
    isFound_.resize(rows.size());
    leadsToFound_.resize(isFound_.size());
    for (const NodeId node : nodes.given()) {
        isFound_[node.index()] = true;
        for (auto up = std::optional(node); up && !leadsToFound_[up->index()]; up = rows.parentOf(*up))
            leadsToFound_[up->index()] = true;
    }
}

void RowHiding::forget() {
    isHidden_.clear();
    isFound_.clear();
    leadsToFound_.clear();
    small_.clear();
}

std::vector<bool> RowHiding::keptRows(const QTreeView& view, const TreeModel& model) const {
    std::vector<bool> kept(model.rows().size());
    for (const QModelIndex& row : view.selectionModel()->selectedRows())
        for (auto up = std::optional(model.nodeOf(row)); up; up = model.rows().parentOf(*up))
            kept[up->index()] = true;
    return kept;
}

bool RowHiding::isLeftOut(const Place& place, const TreeModel& model) {
    const std::size_t at = place.node.index();
    if (!isFound_.empty() && !leadsToFound_[at] && !place.isBelowFound) return true;
    if (!below_ || !model.values().isBelow(place.node, *below_)) return false;
    // What is searched for is seen, whatever it is worth.
    if (!isFound_.empty() && leadsToFound_[at]) return false;
    small_.push_back(place.node);
    return true;
}

bool RowHiding::update(QTreeView& view, const TreeModel& model) {
    const bool hides = below_ || !isFound_.empty();
    if (!hides && isHidden_.empty()) return false;
    const std::vector<bool> kept = keptRows(view, model);
    isHidden_.resize(kept.size());
    small_.clear();
    bool changed = false;
    std::vector<Place> open;
    for (const NodeId root : model.rows().roots()) open.push_back({root});
    while (!open.empty()) {
        const Place place = open.back();
        open.pop_back();
        const std::size_t at = place.node.index();
        const bool hide = hides && !kept[at] && isLeftOut(place, model);
        if (isHidden_[at] != hide) {
            const QModelIndex row = model.indexOf(place.node);
            view.setRowHidden(row.row(), row.parent(), hide);
            isHidden_[at] = hide;
            changed = true;
        }
        // Without anything to hide, rows that nobody sees come back, too.
        if (hides && (hide || !model.rows().isExpanded(place.node))) continue;
        const bool isBelowFound = place.isBelowFound || (!isFound_.empty() && isFound_[at]);
        for (const NodeId child : model.rows().childrenOf(place.node)) open.push_back({child, isBelowFound});
    }
    if (!hides) isHidden_.clear();
    return changed;
}

QString RowHiding::text(const TreeModel& model) const {
    if (small_.empty()) return {};
    if (*below_ == 0.0)
        return u"Hidden: "_qs + counted(small_.size(), u"row that is zero"_qs, u"rows that are zero"_qs);
    const QString rows = u"Hidden: "_qs + counted(small_.size(), u"row"_qs, u"rows"_qs);
    const auto isOfFirst = [&](NodeId node) {
        return &model.values().metricOf(node) == &model.values().metricOf(small_.front());
    };
    if (!std::ranges::all_of(small_, isOfFirst))
        return u"%1 with less than %2"_qs.arg(rows, percentage(*below_));
    double sum = 0.0;
    for (const NodeId node : small_) sum += model.values().inclusive(node);
    const QString unit = QString::fromStdString(model.values().metricOf(small_.front()).unit);
    return u"%1 with %2 in all"_qs.arg(rows, QuantityFormat::absolute(unit, sum, false).text(sum));
}

}  // namespace holos::gui
