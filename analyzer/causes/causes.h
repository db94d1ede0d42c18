// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/causes/cause_values.h"
#include "analyzer/patterns/waits.h"

namespace holos::analyzer::causes {

/// Why locations wait: delay costs, propagating and indirect waits, the critical path and the impact of
/// imbalance, by location. Takes over the trace, its matches and its waits, and frees them as it goes on; its
/// own records are kept in `memory`. The graph of synchronization points is followed backwards once, so that
/// the effort grows as the trace does. Bit for bit the same for any number of workers. Unless it is null,
/// `course` gets the critical path and the delays in time.
///
/// Definitions: D. Böhme et al., Identifying the root causes of wait states in large-scale parallel
/// applications, ACM TOPC 3(2):11, 2016; D. Böhme, Characterizing Load and Communication Imbalance in
/// Parallel Applications, dissertation, 2014 (critical path).
std::vector<LocationCauses> findCauses(replay::ReplayedTrace trace, matching::Matches matches,
                                       patterns::Waits waits, const replay::ReplayedCalls& calls,
                                       const paths::MergedTree& merged, workers::Workers& workers,
                                       Rules rules, Memory memory, CauseCourse* course = nullptr);

}  // namespace holos::analyzer::causes
