// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QStyledItemDelegate>

class QTableView;

namespace holos::gui {

/// Paints a number of a table whole, or the sign for what is left out: never a part of its digits.
class NumberDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

/// Makes these columns as wide as their numbers; none becomes narrower.
void growColumns(QTableView& table, std::initializer_list<int> columns);

}  // namespace holos::gui
