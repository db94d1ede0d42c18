// SPDX-License-Identifier: BSD-3-Clause
// How rows of a tree are named outside of it: in saved states and in tables.
#include <QUrl>

#include "gui/models/tree_model.h"

namespace holos::gui {

QString TreeModel::segmentOf(int node) const {
    const auto up = parentOf(node);
    int twins = 1;
    for (const int sibling : up ? childrenOf(*up) : roots_) {
        if (sibling == node) break;
        if (rows_[sibling].name == rows_[node].name) ++twins;
    }
    const QString name = QString::fromLatin1(QUrl::toPercentEncoding(rows_[node].name, ":@() "));
    return twins == 1 ? name : name + u';' + QString::number(twins);
}

QString TreeModel::rowName(int node) const {
    QStringList segments;
    for (std::optional<int> at = node; at; at = parentOf(*at)) segments.prepend(segmentOf(*at));
    return segments.join(u'/');
}

std::optional<int> TreeModel::rowNamed(const QString& rowName) const {
    std::optional<int> found;
    for (const QString& segment : rowName.split(u'/')) {
        const QString name = QUrl::fromPercentEncoding(segment.section(u';', 0, 0).toUtf8());
        int twins = std::max(1, segment.section(u';', 1).toInt());
        std::optional<int> here;
        for (const int child : found ? childrenOf(*found) : roots_)
            if (!here && rows_[child].name == name && --twins == 0) here = child;
        if (!here) return std::nullopt;
        found = here;
    }
    return found;
}

std::vector<int> TreeModel::expandedNodes() const {
    std::vector<int> expanded;
    for (int node = 0; node < nodeCount(); ++node)
        if (rows_[node].expanded) expanded.push_back(node);
    return expanded;
}

}  // namespace holos::gui
