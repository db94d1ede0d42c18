// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/parts/number_delegate.h"

#include <QApplication>
#include <QTableView>

#include "gui/views/parts/fitting.h"

namespace holos::gui {

void NumberDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const {
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QStyle* style = item.widget ? item.widget->style() : QApplication::style();
    const int margin = style->pixelMetric(QStyle::PM_FocusFrameHMargin, &item, item.widget) + 1;
    item.text = fitting({item.text}, item.fontMetrics, item.rect.width() - 2 * margin);
    style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
}

void growColumns(QTableView& table, std::initializer_list<int> columns) {
    for (const int column : columns) {
        const int needed = static_cast<const QAbstractItemView&>(table).sizeHintForColumn(column);
        if (needed > table.columnWidth(column)) table.setColumnWidth(column, needed);
    }
}

}  // namespace holos::gui
