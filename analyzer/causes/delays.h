// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/causes/blames.h"

namespace holos::analyzer::causes {

/// Compares causers with waiters: fills the blames' delays.
void measureDelays(const Points& points, const Profiles& profiles, ByLocation<LocationBlames>& blames,
                   workers::Workers& workers);

}  // namespace holos::analyzer::causes
