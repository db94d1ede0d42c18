// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/clocks/clock_survey.h"
#include "analyzer/replay/replayed_trace.h"

namespace holos::analyzer::clocks {

/// The logical order of epochs of one-sided communication with active targets (MPI 4.0, section 12.5.2):
///
///     origin  ──┤ Start ├┤ Get ├─ Complete ├──        MPI_Win_wait ends after the origins' MPI_Win_complete
///     target  ──┤ Post ├──────────┤ Wait ··├──        began; where an origin got bytes, its MPI_Win_complete
///                                                     ends after the target's MPI_Win_post began
///
/// What is only put may be kept, so that it does not bind an origin to the post.
///
/// A call may come before events of several processes. Its point is repeated for each of them, and the record
/// of these points becomes the number of the constraint; `kNone` for calls that nothing follows from. Points
/// of other events stay as they are.
void constrainEpochs(const replay::ReplayedTrace& trace, std::vector<ClockPoints>& points);

}  // namespace holos::analyzer::clocks
