// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/causes/cause_values.h"
#include "analyzer/causes/critical_path.h"

namespace holos::analyzer::causes {

/// What activities cost the run as a whole (Böhme, dissertation, chapter 5): those on the critical path with
/// their own time and with the time that others wait because of their imbalance, and those beside it.
/// `critical` and `active` are by location.
void bookImpact(const PathProfile& critical, const PathProfile& active, const std::vector<char>& isThread,
                Rules rules, workers::Workers& workers, std::vector<LocationCauses>& causes);

}  // namespace holos::analyzer::causes
