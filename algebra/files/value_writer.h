// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "algebra/files/stored_values.h"
#include "algebra/files/tar.h"
#include "algebra/model/row_sums.h"
#include "algebra/model/rows.h"
#include "algebra/model/structure.h"

namespace holos::algebra {

/// Whether sums stand behind the values (`stored_values.h`): those of values inclusive along the call tree
/// would not be what queries ask for.
enum class Sums : std::uint8_t { None, WhereLarge };

/// Writes a metric's members `STEM.data` and `STEM.index`. `order` are the call paths in the order of their
/// row numbers (`depthFirstRows`). Rows without values are left out.
///
/// Rows are made, encoded and written a few at a time, so that memory does not grow with the metric; all
/// processor cores take part, and the file is the same however many there are.
///
/// `told`: unless it is null, gets the sums of what is written.
void writeValues(const Rows& rows, ValueType type, Negative negative, const std::vector<CallPathId>& order,
                 Sums sums, const std::string& stem, TarWriter& tar, RowSums* told = nullptr);

}  // namespace holos::algebra
