// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gui/models/quantity.h"
#include "gui/models/timeline/timeline_course.h"
#include "gui/models/timeline/timeline_levels.h"
#include "gui/models/timeline/timeline_lines.h"
#include "gui/models/timeline/timeline_names.h"

namespace holos::gui {

/// A part of a run in words: how long it is, what the time of all locations was spent for, and its largest
/// waits, as far as that is known. Levels and course may be null.
QString rangeText(const trace::Definitions& definitions, const ShownLocations& shown, trace::Ticks from,
                  trace::Ticks to, const LevelsPtr& levels, const CoursePtr& course,
                  const TimelineNames& names, Digits digits);

}  // namespace holos::gui
