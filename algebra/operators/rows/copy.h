// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// The experiment without its severities.
Experiment structureOf(const Experiment& experiment);

/// An experiment with the same values, for operators that take theirs over. Values are not read for it.
Experiment copyOf(const Experiment& experiment);

}  // namespace holos::algebra
