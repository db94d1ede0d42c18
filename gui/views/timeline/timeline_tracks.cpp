// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/timeline/timeline_tracks.h"

#include "gui/views/timeline/timeline_track.h"
#include "gui/views/timeline/timeline_view.h"

namespace holos::gui {

using trace::Ticks;

TimelineTracks::TimelineTracks(QWidget* parent)
    : QSplitter(Qt::Vertical, parent), first_(new TimelineTrack(this)) {
    setHandleWidth(5);
    addWidget(first_);
}

bool TimelineTracks::isBusy() const {
    return first_->isBusy() || (other_ != nullptr && other_->isBusy());
}

void TimelineTracks::setGrouping(TimelineGrouping grouping) {
    grouping_ = grouping;
    for (const TimelineTrack* track : {first_, other_})
        if (track != nullptr && track->definitions()) track->view()->setGrouping(grouping);
}

void TimelineTracks::setColors(TimelineColors colors, const std::string& metric) {
    colors_ = colors;
    metric_ = metric;
    for (const TimelineTrack* track : {first_, other_})
        if (track != nullptr) track->view()->setColors(colors, metric);
}

void TimelineTracks::setMarks(TimelineMarks marks, bool isWanted) {
    marks_ = marks;
    areWanted_ |= isWanted;
    for (TimelineTrack* track : {first_, other_}) {
        if (track == nullptr) continue;
        track->view()->setMarks(marks);
        if (isWanted) track->wantCourse();
    }
}

void TimelineTracks::setShift(double seconds) {
    if (seconds == shift_) return;
    shift_ = seconds;
    if (other_ != nullptr) follow(first_, other_);
}

void TimelineTracks::compareWith(const QString& archive) {
    delete other_;
    other_ = nullptr;
    if (archive.isEmpty()) return;
    other_ = new TimelineTrack(this);
    addWidget(other_);
    setSizes({1000, 1000});  // equal shares
    connect(other_, &TimelineTrack::told, this,
            [this, archive](const QString& message) { Q_EMIT told(archive + u": "_qs + message); });
    link();
    other_->openTrace(archive);
}

void TimelineTracks::link() {
    TimelineTrack* other = other_;
    connect(first_->view(), &TimelineView::windowChanged, other, [=, this] { follow(first_, other); });
    connect(other->view(), &TimelineView::windowChanged, other, [=, this] { follow(other, first_); });
    connect(other, &TimelineTrack::opened, this, &TimelineTracks::alignOther);
}

/// The longer of both runs decides what is in sight.
void TimelineTracks::alignOther() {
    const auto length = [](const TimelineTrack* track) {
        return track->definitions()->seconds(static_cast<Ticks>(track->definitions()->clock.length));
    };
    if (first_->definitions() && length(other_) > length(first_))
        follow(other_, first_);
    else
        follow(first_, other_);
    setGrouping(grouping_);
    setColors(colors_, metric_);
    setMarks(marks_, areWanted_);
    Q_EMIT otherOpened();
}

void TimelineTracks::follow(TimelineTrack* leader, TimelineTrack* follower) {
    const DefinitionsPtr ours = leader->definitions();
    const DefinitionsPtr theirs = follower->definitions();
    if (!ours || !theirs || linking_) return;
    const double scale =
        static_cast<double>(theirs->clock.ticksPerSecond) / static_cast<double>(ours->clock.ticksPerSecond);
    const double later =
        (follower == other_ ? shift_ : -shift_) * static_cast<double>(theirs->clock.ticksPerSecond);
    const auto there = [scale, later](Ticks here) {
        return static_cast<Ticks>(static_cast<double>(here) * scale + later);
    };
    linking_ = true;
    follower->view()->setWindow(there(leader->view()->from()), there(leader->view()->to()));
    Q_EMIT follower->view()->windowChanged();
    linking_ = false;
}

}  // namespace holos::gui
