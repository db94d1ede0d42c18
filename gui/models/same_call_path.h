// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::gui {

/// The call path with the same callees from the root in another experiment, if there is one.
std::optional<algebra::CallPathId> sameCallPath(const algebra::Experiment& from, algebra::CallPathId path,
                                                const algebra::Experiment& to);
/// `sameCallPath` of all call paths.
std::vector<std::optional<algebra::CallPathId>> sameCallPaths(const algebra::Experiment& from,
                                                              const algebra::Experiment& to);

}  // namespace holos::gui
