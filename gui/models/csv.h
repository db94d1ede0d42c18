// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>

#include "gui/models/tree_model.h"

namespace holos::gui {

/// The visible rows as comma-separated values with a heading: level, name, the value with all digits (empty:
/// undefined), its unit, and the value as it is written.
QString visibleRowsAsCsv(const TreeModel& model);

}  // namespace holos::gui
