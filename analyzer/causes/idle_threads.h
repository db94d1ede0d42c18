// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/causes/blames.h"

namespace holos::analyzer::causes {

/// While a master works between two parallel regions, all other threads of its process are idle: adds its
/// serial sections to its blames, which stay in the order of points.
void addIdleThreads(const replay::ReplayedTrace& trace, const Points& points, std::uint32_t location,
                    Records<Blame>& blames);

}  // namespace holos::analyzer::causes
