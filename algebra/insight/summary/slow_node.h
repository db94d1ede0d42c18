// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "algebra/insight/summary/blame.h"
#include "algebra/insight/summary/measures.h"
#include "algebra/insight/summary/summary.h"

namespace holos::algebra {

struct SlowNode {
    Problem problem;
    double share = 0.0;  ///< of all delays, that are its processes'
};

/// A node whose processes take longer in all that they compute, or for as many instructions.
std::optional<SlowNode> slowNode(const Measures& measures, const Delays& delays);

}  // namespace holos::algebra
