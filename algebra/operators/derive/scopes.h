// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/model/rows.h"
#include "algebra/model/structure.h"
#include "metric-specs/specification.h"

namespace holos::algebra {

/// The values of a counter that all locations of a scope share: of each scope those of the first location
/// that has any. The others read the same counter, so that their values are the same events again, and are
/// left out. Reads all rows once.
///
/// Which scope a location is in, its attributes say (`placeOf`), and where they do not, the system tree by
/// the classes of its nodes: `core`, `socket` or `package`, `node`. Where neither knows cores each location
/// is taken for one of its own, and where neither knows sockets each node for one, so that nothing is counted
/// twice.
RowSource oncePerScope(const SystemTree& system, specs::Scope scope, const RowSource& source);

}  // namespace holos::algebra
