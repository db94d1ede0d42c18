// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/parts/copying.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QTableView>
#include <QTreeView>
#include <algorithm>
#include <vector>

#include "gui/models/plain_text.h"
#include "gui/models/quantity.h"
#include "gui/models/tree_model.h"

namespace holos::gui {

namespace {

const QHeaderView& headerOf(const QAbstractItemView& view) {
    if (const auto* tree = qobject_cast<const QTreeView*>(&view)) return *tree->header();
    return *static_cast<const QTableView&>(view).horizontalHeader();
}

/// From left to right.
std::vector<int> columnsInSight(const QAbstractItemView& view) {
    const QHeaderView& header = headerOf(view);
    std::vector<int> columns;
    for (int place = 0; place < header.count(); ++place)
        if (const int column = header.logicalIndex(place); !header.isSectionHidden(column))
            columns.push_back(column);
    return columns;
}

/// Digits without the thin spaces between their groups, which no spreadsheet understands.
QString fieldText(const QModelIndex& at) {
    QString text = at.data().toString();
    if (at.data(TreeModel::ValueRole).typeId() == QMetaType::Double) {
        text.remove(kThinSpace);
        if (at.column() != TreeModel::NameColumn) text += u' ' + at.data(TreeModel::UnitRole).toString();
    }
    return onOneLine(text).trimmed();
}

/// From top to bottom, as the view shows them.
QModelIndexList rowsFromTopToBottom(const QAbstractItemView& view) {
    QModelIndexList rows = view.selectionModel()->selectedRows();
    std::ranges::sort(rows, [&view](const QModelIndex& a, const QModelIndex& b) {
        return view.visualRect(a).top() < view.visualRect(b).top();
    });
    return rows;
}

}  // namespace

namespace {

/// As a widget around the view says.
QString shownPart(const QAbstractItemView& view) {
    for (const QWidget* around = &view; around != nullptr; around = around->parentWidget())
        if (const QString part = around->property(kShownPart).toString(); !part.isEmpty()) return part;
    return {};
}

}  // namespace

QString selectedRows(const QAbstractItemView& view) {
    if (view.selectionModel() == nullptr || !view.selectionModel()->hasSelection()) return {};
    const std::vector<int> columns = columnsInSight(view);
    QStringList fields;
    for (const int column : columns) fields << view.model()->headerData(column, Qt::Horizontal).toString();
    const QString part = shownPart(view);
    QString text = part.isEmpty() ? QString() : u"Only "_qs + part + u'\n';
    text += fields.join(u'\t') + u'\n';
    for (const QModelIndex& row : rowsFromTopToBottom(view)) {
        fields.clear();
        for (const int column : columns) fields << fieldText(row.siblingAtColumn(column));
        text += fields.join(u'\t') + u'\n';
    }
    return text;
}

void makeTableOfRows(QTableView& table) {
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + 5);
    table.horizontalHeader()->setHighlightSections(false);
    table.setShowGrid(false);
    table.setFrameShape(QFrame::NoFrame);
    makeRowsCopyable(table);
}

void onRowSelected(QAbstractItemView& view, QObject* context, std::function<void(const QModelIndex&)> act) {
    const QItemSelectionModel* selection = view.selectionModel();
    QObject::connect(selection, &QItemSelectionModel::selectionChanged, context,
                     [selection, act = std::move(act)] {
                         const QModelIndexList rows = selection->selectedRows();
                         if (!rows.isEmpty()) act(rows.front());
                     });
}

void makeRowsCopyable(QAbstractItemView& view) {
    auto* copy = new QAction(u"Copy rows"_qs, &view);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    QObject::connect(copy, &QAction::triggered, &view, [&view] {
        const QString rows = selectedRows(view);
        if (!rows.isEmpty()) QApplication::clipboard()->setText(rows);
    });
    view.addAction(copy);
    view.setContextMenuPolicy(Qt::ActionsContextMenu);
}

}  // namespace holos::gui
