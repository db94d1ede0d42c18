// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/timeline/timeline_find_box.h"

#include <QRegularExpression>

#include "analyzer/trace/anchor.h"
#include "base/error.h"
#include "gui/models/background.h"
#include "gui/models/quantity.h"
#include "gui/views/timeline/timeline_tracks.h"

namespace holos::gui {

using trace::Ticks;

namespace {

constexpr int kMostLetters = 40;

}  // namespace

TimelineFindBox::TimelineFindBox(TimelineTrack& track, QWidget* parent)
    : QLineEdit(parent), track_(track), stopped_(std::make_shared<std::atomic<bool>>(false)) {
    setObjectName(u"Timeline find"_qs);
    setAccessibleName(u"Find in the timeline"_qs);
    setPlaceholderText(u"Find: MPI_Recv > 2 ms"_qs);
    setToolTip(
        u"Enter goes to the next call of a region, such as MPI_Recv > 2 ms, or to the next message, such as "
        u"message from 3 to 5 > 64k"_qs);
    setClearButtonEnabled(true);
    setMaximumWidth(fontMetrics().averageCharWidth() * kMostLetters);
    connect(this, &QLineEdit::returnPressed, this, &TimelineFindBox::findNext);
}

TimelineFindBox::~TimelineFindBox() {
    *stopped_ = true;
}

void TimelineFindBox::findNextOf(const QString& region, double leastSeconds) {
    // What stands behind > would be a duration.
    QString wanted = u'^' + QRegularExpression::escape(region).replace(u"\\>"_qs, u"."_qs) + u'$';
    if (leastSeconds > 0.0) wanted += u" > %1 us"_qs.arg(1e6 * leastSeconds, 0, 'f', 3);
    setText(wanted);
    findNext();
}

void TimelineFindBox::findNext() {
    const DefinitionsPtr definitions = track_.definitions();
    if (!definitions || busy_ || text().isEmpty()) return;
    const TimelineQuery query = timelineQuery(text().trimmed());
    if (!query.problem.isEmpty()) return Q_EMIT told(query.problem);
    const bool goesOn = last_ && query == lastQuery_ && track_.view()->from() == lastWindow_;
    TimelineSearch search{
        {}, definitions, track_.levels(), query, goesOn ? last_->begin : track_.view()->from() - 1};
    busy_ = true;
    Q_EMIT told(u"Searching …"_qs);
    inBackground(
        this,
        [search = std::move(search), archive = track_.archive().toStdString(),
         stopped = stopped_]() mutable -> std::optional<TimelineFind> {
            try {
                search.anchor = trace::findAnchor(archive);
                return findInTimeline(search, *stopped);
            } catch (const Error&) {
                return std::nullopt;
            }
        },
        [this, query](const std::optional<TimelineFind>& found) {
            busy_ = false;
            show(found, query);
        });
}

/// In its surroundings, at the present scale where it fits. A regular expression may fit many names: which
/// of them it was is said.
void TimelineFindBox::show(const std::optional<TimelineFind>& found, const TimelineQuery& query) {
    last_ = found;
    lastQuery_ = query;
    if (!found) return Q_EMIT told(u"not found from here to the end of the run"_qs);
    TimelineView& view = *track_.view();
    const auto length = static_cast<double>(found->end - found->begin);
    const double width = std::max(static_cast<double>(view.to() - view.from()), 1.5 * length);
    const bool isInSight = found->begin >= view.from() && found->end <= view.to();
    view.setFramed(TimelineWait{found->location, found->begin, found->end, found->peer});
    view.setSelected(found->location);
    if (found->isInStack && !view.layout().hasStack(found->location)) view.toggleStack(found->location);
    view.reveal(found->location);
    if (!isInSight) {
        const double middle = static_cast<double>(found->begin) + length / 2.0;
        view.changeWindow(middle - width / 2.0, middle + width / 2.0);
    }
    track_.readLater();
    lastWindow_ = view.from();
    const trace::Definitions& definitions = *track_.definitions();
    const QString name = found->region
                             ? view.nameOf(*found->region)
                             : u"message from %1"_qs.arg(traceLocationName(definitions, *found->peer));
    Q_EMIT told(u"%1, %2 from %3 on, in %4"_qs.arg(
        name, durationText(definitions.seconds(found->end - found->begin)),
        momentText(definitions.seconds(found->begin)), traceLocationName(definitions, found->location)));
}

}  // namespace holos::gui
