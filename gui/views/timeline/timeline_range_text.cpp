// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/timeline/timeline_range_text.h"

#include <algorithm>

#include "gui/models/timeline/timeline_content.h"
#include "gui/models/timeline/timeline_marks.h"

namespace holos::gui {

namespace {

constexpr std::size_t kWaitsOfRange = 3;

QString secondsText(double seconds, Digits digits) {
    return QuantityFormat::absolute(u"sec"_qs, seconds, false, digits).text(seconds);
}

QString activitiesText(const analyzer::timeline::Levels& levels, trace::Ticks from, trace::Ticks to) {
    const std::vector<double> parts = sharesIn(levels, from, to);
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

QString rangeText(const trace::Definitions& definitions, trace::Ticks from, trace::Ticks to,
                  const LevelsPtr& levels, const CoursePtr& course, const TimelineNames& names,
                  Digits digits) {
    QString text = u"%1 s … %2 s: "_qs.arg(definitions.seconds(from), 0, 'f', 6)
                       .arg(definitions.seconds(to), 0, 'f', 6) +
                   secondsText(definitions.seconds(to - from), digits);
    if (levels) text += activitiesText(*levels, from, to);
    if (!course) return text;
    const auto waits = waitsIn(*course, definitions, from, to);
    for (std::size_t at = 0; at < std::min(kWaitsOfRange, waits.size()); ++at)
        text += u" · %1 "_qs.arg(names.of(waits[at].first)) + secondsText(waits[at].second, Digits());
    return text;
}

}  // namespace holos::gui
