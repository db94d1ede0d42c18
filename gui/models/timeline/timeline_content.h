// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gui/models/timeline/timeline_levels.h"
#include "gui/models/timeline/timeline_picture.h"
#include "gui/models/timeline/times_in_part.h"

namespace holos::gui {

/// How many calls of a location are drawn one by one.
inline constexpr std::size_t kMostSpans = 5000;

/// The bins of a line, from levels of detail: what most of the time was spent for; of several locations what
/// lost most, where that is a tenth of their time or more. Throws `holos::Error`.
TimelineRow coarseRow(const analyzer::timeline::Levels& levels, const TimelineLine& line,
                      const trace::Window& window, TimelineColors colors);

/// A heat map of a line, of the calls that are shown alone, as a part of all of its time.
std::vector<float> heatInPart(const TimesInPart& part, const TimelineLine& line, const trace::Window& window,
                              trace::Ticks runLength, TimelineColors colors);

/// What these locations spent their time for, together, by bin of a level. Throws `holos::Error`.
std::vector<analyzer::timeline::ActivityTimes> timesOf(const analyzer::timeline::Levels& levels,
                                                       const ShownLocations& shown, unsigned level);

/// What these locations spent their time for between two times, by activity, as parts of 1: where a bin is
/// cut, by its part. Empty where the levels cannot be read.
std::vector<double> sharesIn(const analyzer::timeline::Levels& levels, const ShownLocations& shown,
                             trace::Ticks from, trace::Ticks to);

/// Whether the levels are too coarse for a window of so many pixels, while single calls can be told.
bool needsCalls(const analyzer::timeline::Levels& levels, const trace::Definitions& definitions,
                trace::LocationId location, const trace::Window& window);

/// Messages between the lines in a window: one by one, or those of equal ends as one where they are many.
void addMessages(const analyzer::timeline::KeptMessages& kept, const TimelineQuestion& question,
                 TimelinePicture& picture);

}  // namespace holos::gui
