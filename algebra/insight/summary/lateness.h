// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "algebra/insight/summary/blame.h"
#include "algebra/insight/summary/measures.h"
#include "algebra/insight/summary/summary.h"

namespace holos::algebra {

/// The problem of those who come late in a call path, which is one of `all`. Where others wait there for one
/// in some calls and for another one in others, these are several problems, which share what the place costs.
std::vector<Problem> lateness(const Measures& measures, const Delays& delays, const Place& place,
                              std::span<const Place> all);

}  // namespace holos::algebra
