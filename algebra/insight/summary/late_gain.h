// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/insight/summary/caused_waits.h"
#include "algebra/insight/summary/late_workers.h"

namespace holos::algebra {

/// What those who are late do while nobody can do it instead.
struct LateIdleness {
    bool isAsleep = false;     ///< they sleep, for the most part
    double offProcessors = 0;  ///< seconds that each of them was at least on no processor
};

/// By how much the run is shorter, at most, where nobody is late there.
double gainOfLate(const LateWorkers& workers, const CausedWaits& waits, const Spread& spread,
                  const std::vector<Member>& members, const LateIdleness& idleness);

}  // namespace holos::algebra
