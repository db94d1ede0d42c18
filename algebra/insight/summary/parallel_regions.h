// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// A parallel region of OpenMP, also in profiles of others, which know it by its name alone.
bool isParallelRegion(const Experiment& experiment, CallPathId path);

/// Such a region around or at the call path; the outermost one.
std::optional<CallPathId> outermostParallelRegion(const Experiment& experiment, CallPathId path);

}  // namespace holos::algebra
