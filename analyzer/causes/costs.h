// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/causes/cause_values.h"
#include "analyzer/causes/propagation.h"

namespace holos::analyzer::causes {

/// Books delay costs at the call paths of causers, and the propagating and indirect parts of waits.
void bookCosts(const Points& points, const std::vector<LocationBlames>& blames, const PropagatedCosts& costs,
               Rules rules, workers::Workers& workers, std::vector<LocationCauses>& causes);

}  // namespace holos::analyzer::causes
