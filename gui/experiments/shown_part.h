// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gui/models/filter.h"
#include "gui/models/value_cache.h"

namespace holos::gui {

/// The experiment that views show: of a whole one, or of one of a range of time, what the filter names apart
/// from the range. Throws `holos::Error` where the experiment does not have that.
ExperimentPtr shownPart(const ExperimentPtr& experiment, const Filter& filter);

}  // namespace holos::gui
