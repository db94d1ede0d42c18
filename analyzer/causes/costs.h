// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "analyzer/causes/cause_course.h"
#include "analyzer/causes/cause_values.h"
#include "analyzer/causes/propagation.h"

namespace holos::analyzer::causes {

/// Where the time of delays is known, and who wants to know it.
struct DelayTimes {
    const replay::ReplayedTrace& trace;
    const Profiles& profiles;
    const TellDelay& tell;
};

/// Books delay costs at the call paths of causers, and the propagating and indirect parts of waits.
void bookCosts(const Points& points, const ByLocation<LocationBlames>& blames, const PropagatedCosts& costs,
               Rules rules, workers::Workers& workers, std::vector<LocationCauses>& causes,
               const std::optional<DelayTimes>& times = std::nullopt);

}  // namespace holos::analyzer::causes
