// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <functional>

class QAbstractItemView;
class QModelIndex;
class QObject;
class QTableView;

namespace holos::gui {

/// The property of a widget that says which part of a run all views in it show; empty: the whole run.
inline constexpr const char* kShownPart = "shownPart";

/// The selected rows as spreadsheets take them: a line of headings and one for each row, the columns in sight
/// separated by tabs. Values are written as they are shown, with their units. Empty where nothing is
/// selected. Rows of a part of a run have a line before them that names it.
QString selectedRows(const QAbstractItemView& view);

/// Makes a table one of rows: they are selected as a whole, one at a time, and can be copied; there are no
/// numbers of rows, grid and frame.
void makeTableOfRows(QTableView& table);

/// Calls `act` with a row when it is selected, and not where it merely is the one with the keyboard: a table
/// that gets the keyboard has its first row there. After the view has its model.
void onRowSelected(QAbstractItemView& view, QObject* context, std::function<void(const QModelIndex&)> act);

/// Gives the view the key that copies, and a context menu: both put `selectedRows` into the clipboard.
void makeRowsCopyable(QAbstractItemView& view);

}  // namespace holos::gui
