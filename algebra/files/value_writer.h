// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "algebra/files/tar_writer.h"
#include "algebra/model/severities.h"
#include "algebra/model/structure.h"

namespace holos::algebra {

/// Writes a metric's members `STEM.index` and `STEM.data`. `rows` are the call paths in the order of their
/// row numbers
/// (`depthFirstRows`). Rows without values are left out.
void writeValues(const SeverityTable& table, ValueType type, const std::vector<CallPathId>& rows,
                 const std::string& stem, TarWriter& tar);

}  // namespace holos::algebra
