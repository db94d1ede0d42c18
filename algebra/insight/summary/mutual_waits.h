// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/insight/summary/measures.h"
#include "algebra/insight/summary/spread.h"
#include "algebra/insight/summary/summary.h"

namespace holos::algebra {

/// Says of threads that wait and are waited for about as long, as where a semaphore is used as a lock, that
/// they wait for each other: none of them does too much. `awaited`: how long others wait for each.
void tellMutualWaits(const Measures& measures, const MetricNames& waits, const std::vector<Member>& awaited,
                     Problem& problem);

}  // namespace holos::algebra
