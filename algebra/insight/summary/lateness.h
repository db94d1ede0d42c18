// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "algebra/insight/summary/blame.h"
#include "algebra/insight/summary/measures.h"
#include "algebra/insight/summary/summary.h"

namespace holos::algebra {

/// A problem of those who come late in a call path, which is one of `all`.
Problem lateness(const Measures& measures, const Delays& delays, const Place& place,
                 std::span<const Place> all);

}  // namespace holos::algebra
