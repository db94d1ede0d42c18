// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// Gives regions of these names others, so that a function that got a new name in the next version of the
/// program pairs up with itself. Names that do not occur have no effect.
void renameRegions(Experiment& experiment, const std::map<std::string, std::string>& names);

}  // namespace holos::algebra
