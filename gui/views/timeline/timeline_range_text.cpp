// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/timeline/timeline_range_text.h"

#include <algorithm>

#include "gui/models/time_text.h"
#include "gui/models/timeline/timeline_content.h"
#include "gui/models/timeline/timeline_marks.h"

namespace holos::gui {

namespace {

constexpr std::size_t kWaitsOfRange = 3;

QString activitiesText(const analyzer::timeline::Levels& levels, const ShownLocations& shown,
                       trace::Ticks from, trace::Ticks to) {
    const std::vector<double> parts = sharesIn(levels, shown, from, to);
    if (parts.empty()) return {};
    QString text;
    for (const Activity activity : {Activity::User, Activity::Mpi, Activity::OpenMp, Activity::OpenMpWaiting,
                                    Activity::Other, Activity::Nothing})
        if (const double part = parts[static_cast<std::size_t>(activity)]; part > 0)
            text += u" · %1 %2 %"_qs
                        .arg(activity == Activity::Nothing ? u"outside of regions"_qs : nameOf(activity))
                        .arg(100.0 * part, 0, 'f', part < 0.1 ? 1 : 0);
    return text;
}

}  // namespace

QString rangeText(const trace::Definitions& definitions, const ShownLocations& shown, trace::Ticks from,
                  trace::Ticks to, const LevelsPtr& levels, const CoursePtr& course,
                  const TimelineNames& names, Digits digits) {
    QString text = momentText(definitions.seconds(from)) + u" … "_qs + momentText(definitions.seconds(to)) +
                   u": "_qs + durationText(definitions.seconds(to - from), digits);
    if (levels) text += activitiesText(*levels, shown, from, to);
    if (!course) return text;
    const auto waits = waitsIn(*course, definitions, shown, from, to);
    for (std::size_t at = 0; at < std::min(kWaitsOfRange, waits.size()); ++at)
        text += u" · %1 "_qs.arg(names.of(waits[at].first)) + durationText(waits[at].second);
    return text;
}

}  // namespace holos::gui
