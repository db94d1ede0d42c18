// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// Evaluates composed and computed metrics on measurements that an operator changed, with the specification
/// that the experiment carries; without one everything stays as it is. A metric that is incomplete stays so
/// also where all its terms are there, as not all of what they combine had them.
Experiment deriveAgain(Experiment experiment);

}  // namespace holos::algebra
