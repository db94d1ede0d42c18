// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>

#include "gui/models/tree_model.h"

namespace holos::gui {

/// Fields as commands write them (`csvField`): text, which no spreadsheet takes for a formula, and a number
/// with all its digits (empty: undefined).
QString csvText(const QString& text);
QString csvNumber(double value);

/// The visible rows as comma-separated values with a heading: level, name, the value with all digits, its
/// unit, and the value as it is written.
QString visibleRowsAsCsv(const TreeModel& model);

/// The rows of a table as they are written, below the headings of its columns. Where the model has
/// `TreeModel::ValueRole`, that with all its digits.
QString tableAsCsv(const QAbstractItemModel& table);

}  // namespace holos::gui
