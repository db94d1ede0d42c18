// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/causes/blames.h"

namespace holos::analyzer::causes {

/// While a master works between two parallel regions, all other threads of its process are idle: finds its
/// serial sections.
void findIdleThreads(const replay::ReplayedTrace& trace, const Points& points, std::uint32_t location,
                     LocationBlames& blames);

}  // namespace holos::analyzer::causes
