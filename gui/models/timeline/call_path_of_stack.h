// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/model/experiment.h"
#include "analyzer/trace/excerpt.h"
#include "gui/models/timeline/timeline.h"

namespace holos::gui {

/// What was on a call stack at a time, from the outermost to the innermost; of a stack that was read around
/// it. `deepest`: no deeper ones.
std::vector<trace::StackBar> stackAt(const trace::StackExcerpt& excerpt, trace::Ticks time,
                                     std::uint32_t deepest);

/// The call paths of the experiment that have these names from the root on, and are called from the same
/// lines where these are known: usually one. A thread of an OpenMP team is in a construct, whose call paths
/// these are, wherever it is called. What an experiment does not tell apart, such as functions of
/// samples, is passed over.
std::vector<algebra::CallPathId> callPathsOf(const std::vector<trace::StackBar>& stack,
                                             const trace::Definitions& definitions,
                                             const algebra::Experiment& experiment);

}  // namespace holos::gui
