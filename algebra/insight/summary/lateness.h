// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "algebra/insight/summary/blame.h"
#include "algebra/insight/summary/measures.h"
#include "algebra/insight/summary/spread.h"
#include "algebra/insight/summary/summary.h"

namespace holos::algebra {

/// What it is called that those of such a spread come late: `{}`s longer than the others.
std::string titleOfLateOnes(Spread::Shape shape, bool areThreads, const char* verb);

/// A problem of those who come late in a call path, which is one of `all`.
Problem lateness(const Measures& measures, const Delays& delays, const Place& place,
                 std::span<const Place> all);

}  // namespace holos::algebra
