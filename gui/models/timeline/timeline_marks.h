// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gui/models/timeline/timeline_picture.h"
#include "gui/models/timeline/times_in_part.h"

namespace holos::gui {

/// What of the course of a run is drawn in a window: waits that can be told apart, the critical path,
/// collective operations, one by one or those that look alike as one. Throws `holos::Error`.
void addMarks(const CoursePtr& course, const TimelineQuestion& question, TimelinePicture& picture);

/// Of what is drawn, waits and pieces of the critical path in calls that are shown stay, where it is known
/// exactly when these are.
void keepMarksOfPart(const TimesInPart& part, const TimelineQuestion& question, TimelinePicture& picture);

/// How much of the time of a line's locations something takes, by pixel of the window; empty: nothing.
std::vector<float> sharesOf(const analyzer::timeline::Course& course, const std::string& name,
                            const TimelineLine& line, const trace::Window& window);

/// Waits of a kind, or the critical path, in calls that are shown. Empty: that is not known, as of delay
/// costs.
std::vector<float> sharesInPart(const analyzer::timeline::Course& course, const std::string& name,
                                const TimesInPart& part, const TimelineLine& line,
                                const trace::Window& window);

/// Whether this is the name of what others pay for, as delays: a second of it may cost any number of seconds.
bool isCostName(const std::string& name);
/// The largest share of time that any one location has in a bin; 1 where that is less.
double largestShare(const analyzer::timeline::Course& course, const std::string& name);

/// Seconds that waits of each kind take these locations between two times, the longest first; a bin that is
/// cut counts by its part. Empty where the course cannot be read.
std::vector<std::pair<std::string, double>> waitsIn(const analyzer::timeline::Course& course,
                                                    const trace::Definitions& definitions,
                                                    const ShownLocations& shown, trace::Ticks from,
                                                    trace::Ticks to);
/// Of waits in calls that are shown.
std::vector<std::pair<std::string, double>> waitsInPart(const analyzer::timeline::Course& course,
                                                        const trace::Definitions& definitions,
                                                        const TimesInPart& part, trace::Ticks from,
                                                        trace::Ticks to);

}  // namespace holos::gui
