// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/causes/cause_values.h"
#include "analyzer/causes/points.h"
#include "analyzer/causes/profiles.h"

namespace holos::analyzer::causes {

/// The chain of activities without waiting that determines how long the run takes. It is followed backwards,
/// from the process that comes last to MPI_Finalize (without MPI: from the end of the thread that ends last):
/// at a wait it moves to the location that was waited for. One worker follows it, which touches points only.
/// Unless it is null, `course` gets the path in time.
PathProfile followCriticalPath(const replay::ReplayedTrace& trace, const Points& points,
                               const Profiles& profiles, Rules rules, workers::Workers& workers,
                               PathCourse* course);

/// All time but the waits.
PathProfile activeTimes(const Points& points, PathProfile times, workers::Workers& workers);

/// What activities cost the run as a whole (Böhme, dissertation, chapter 5): those on the critical path with
/// their own time and with the time that others wait because of their imbalance, and those beside it.
/// `critical` and `active` are by location; there are so many `paths`.
void bookImpact(const PathProfile& critical, const PathProfile& active, std::size_t paths,
                const std::vector<char>& isThread, Rules rules, workers::Workers& workers,
                std::vector<LocationCauses>& causes);

}  // namespace holos::analyzer::causes
