// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// The region profile: one call path per region that was called, each a root, with the exclusive values of
/// all its call paths added up. What stood below a region is not part of it any longer, so that all roots
/// together are the whole program.
Experiment flatten(Experiment experiment);

}  // namespace holos::algebra
