// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/timeline/timeline_tracks.h"

#include <QVBoxLayout>

#include "analyzer/trace/anchor.h"
#include "base/error.h"
#include "gui/models/background.h"
#include "gui/models/quantity.h"
#include "gui/models/timeline/call_path_of_stack.h"
#include "gui/views/timeline/timeline_curves.h"
#include "gui/views/timeline/timeline_overview.h"
#include "gui/views/timeline/timeline_view.h"

namespace holos::gui {

using trace::Ticks;

namespace {

constexpr int kTrackPatience = 15;  ///< milliseconds

}  // namespace

TimelineTrack::TimelineTrack(QWidget* parent)
    : QWidget(parent),
      overview_(new TimelineOverview(this)),
      view_(new TimelineView(this)),
      curves_(new TimelineCurves(this)),
      stackStopped_(std::make_shared<std::atomic<bool>>(false)) {
    auto* down = new QVBoxLayout(this);
    down->setContentsMargins(0, 0, 0, 0);
    down->setSpacing(0);
    down->addWidget(overview_);
    down->addWidget(view_, 1);
    down->addWidget(curves_);
    again_.setSingleShot(true);
    again_.setInterval(kTrackPatience);
    connect(&again_, &QTimer::timeout, this, &TimelineTrack::readNow);
    connect(view_, &TimelineView::windowChanged, this, [this] {
        followWindow();
        readLater();
    });
    connect(view_, &TimelineView::stackChosen, this, &TimelineTrack::readStackAt);
    connect(view_, &TimelineView::rangeChanged, this, [this] { overview_->setRange(view_->range()); });
    connect(overview_, &TimelineOverview::wanted, this, [this](Ticks middle) {
        const auto half = static_cast<double>(view_->to() - view_->from()) / 2.0;
        view_->changeWindow(static_cast<double>(middle) - half, static_cast<double>(middle) + half);
    });
}

TimelineTrack::~TimelineTrack() {
    *stackStopped_ = true;
}

bool TimelineTrack::isReading() const {
    return busy_ || readingStack_ || again_.isActive() || making_.has_value() || counted_.has_value() ||
           curves_->isBusy();
}

void TimelineTrack::tell(const QString& message) {
    message_ = message;
    Q_EMIT told(message);
}

void TimelineTrack::readLater() {
    if (definitions()) again_.start();
}

void TimelineTrack::openTrace(const QString& archive) {
    *stackStopped_ = true;
    readingStack_ = false;
    levels_.reset();
    course_.reset();
    part_.reset();
    counted_.reset();
    overview_->setPart(false, nullptr);
    curves_->setPart(false, nullptr);
    making_.reset();
    analyzed_.reset();
    shown_.clear();
    overview_->setLevels(nullptr);
    view_->setTrace(nullptr);
    reader_ = std::make_unique<TimelineReader>(archive);
    connect(reader_.get(), &TimelineReader::opened, this, &TimelineTrack::traceOpened);
    connect(reader_.get(), &TimelineReader::ready, this, &TimelineTrack::pictureReady);
    connect(reader_.get(), &TimelineReader::failed, this, [this](const QString& message) {
        busy_ = false;
        tell(message);
    });
    busy_ = true;
    tell(u"Opening %1 …"_qs.arg(archive));
    reader_->open();
}

void TimelineTrack::traceOpened() {
    view_->setTrace(reader_->definitions());
    view_->setWindow(0, static_cast<Ticks>(reader_->definitions()->clock.length));
    curves_->setTrace(reader_->archive(), reader_->definitions());
    making_ = 0.0;
    levels_ = std::make_unique<TimelineLevels>(reader_->archive(), reader_->definitions());
    connect(levels_.get(), &TimelineLevels::progress, this, [this](double part) {
        making_ = part;
        if (view_->picture()) tell(textOf(*view_->picture()));
    });
    connect(levels_.get(), &TimelineLevels::ready, this, [this] {
        making_.reset();
        reader_->setLevels(levels_->levels(), levels_->messages());
        overview_->setLevels(reader_->levels(), shown_);
        followWindow();
        readLater();
        openCourse();
        Q_EMIT prepared();
    });
    connect(levels_.get(), &TimelineLevels::failed, this, [this](const QString& message) {
        making_.reset();
        tell(message);
    });
    levels_->start();
    Q_EMIT opened();
    followWindow();
    readNow();
}

/// After the levels, so that both do not read the trace at the same time.
void TimelineTrack::openCourse() {
    course_ = std::make_unique<TimelineCourse>(reader_->archive(), reader_->definitions());
    connect(course_.get(), &TimelineCourse::progress, this, [this](double part) {
        analyzed_ = part;
        if (view_->picture()) tell(textOf(*view_->picture()));
    });
    connect(course_.get(), &TimelineCourse::ready, this, [this] {
        analyzed_.reset();
        reader_->setCourse(course_->course());
        readLater();
        Q_EMIT prepared();
    });
    connect(course_.get(), &TimelineCourse::failed, this, [this](const QString& message) {
        analyzed_.reset();
        tell(message);
    });
    course_->start(wantsCourse_);
}

void TimelineTrack::wantCourse() {
    wantsCourse_ = true;
    if (course_) course_->start(true);
}

void TimelineTrack::showOnly(ShownLocations shown, CallsInPart calls) {
    shown_ = shown;
    readPart(calls);
    view_->showOnly(std::move(shown), std::move(calls));
    if (levels()) overview_->setLevels(levels(), shown_);
    followWindow();
    readLater();
}

/// Heat maps, overview and curves are of all call paths until it is known when threads are in those that are
/// shown, and say so.
void TimelineTrack::readPart(const CallsInPart& calls) {
    part_.reset();
    counted_.reset();
    reader_->setPart(nullptr);
    overview_->setPart(!calls.isEverything(), nullptr);
    curves_->setPart(!calls.isEverything(), nullptr);
    if (calls.isEverything()) return;
    counted_ = 0.0;
    part_ = std::make_unique<TimesInPartReader>(
        archive(), TimesInPart::Question{.definitions = definitions(), .calls = calls, .shown = shown_});
    connect(part_.get(), &TimesInPartReader::progress, this, [this](double part) {
        counted_ = part;
        if (view_->picture()) tell(textOf(*view_->picture()));
    });
    connect(part_.get(), &TimesInPartReader::ready, this, [this](const QString& problem) {
        counted_.reset();
        if (!problem.isEmpty()) return tell(problem);
        reader_->setPart(part_->times());
        overview_->setPart(true, part_->times());
        curves_->setPart(true, part_->times());
        readLater();
        Q_EMIT prepared();
    });
    part_->start();
}

void TimelineTrack::setSelected(std::optional<trace::LocationId> location) {
    view_->setSelected(location);
    curves_->setLocation(location);
}

void TimelineTrack::followWindow() {
    curves_->setWidths(view_->labelWidth(), view_->timeWidth());
    curves_->setWindow({view_->from(), view_->to()});
    overview_->setSide(view_->labelWidth());
    overview_->setWindow({view_->from(), view_->to()});
}

void TimelineTrack::readNow() {
    again_.stop();
    if (!definitions()) return;
    busy_ = true;
    reader_->read(view_->question());
}

/// In the background, because it is read from the location's first event on.
void TimelineTrack::readStackAt(trace::LocationId location, Ticks time, std::uint32_t deepest) {
    if (!definitions()) return;
    *stackStopped_ = true;
    stackStopped_ = std::make_shared<std::atomic<bool>>(false);
    readingStack_ = true;
    inBackground(
        this,
        [archive = archive().toStdString(), definitions = definitions(), location, time, deepest,
         stopped = stackStopped_]() -> std::vector<trace::StackBar> {
            try {
                const trace::Window window{time, time + 1, 1};
                return stackAt(
                    trace::readStacks(trace::findAnchor(archive), *definitions, location, window, *stopped),
                    time, deepest);
            } catch (const Error&) {
                return {};
            }
        },
        [this, location, time, stopped = stackStopped_](const std::vector<trace::StackBar>& stack) {
            if (*stopped) return;
            readingStack_ = false;
            if (!stack.empty()) Q_EMIT stackRead(location, time, stack);
        });
}

void TimelineTrack::pictureReady(const TimelinePtr& picture) {
    busy_ = picture->isCoarse;
    view_->setPicture(picture);
    tell(textOf(*picture));
}

QString TimelineTrack::textOf(const TimelinePicture& picture) const {
    QStringList parts;
    if (const QString more = view_->shownOfAllPaths(); !more.isEmpty()) parts << more;
    std::uint64_t events = 0;
    for (const TimelineRow& row : picture.rows) events += row.excerpt.events;
    if (events != 0) parts << counted(events, u"event"_qs, u"events"_qs);
    if (!view_->marks().messages)
        parts << u"messages are not drawn"_qs;
    else if (picture.tooManyMessages)
        parts << u"too many messages to draw: zoom in"_qs;
    else
        parts << counted(picture.messageCount, u"message"_qs, u"messages"_qs);
    if (picture.oneOf > 1 && view_->marks().messages)
        parts.back() += u" of one in %1 pairs of processes"_qs.arg(picture.oneOf);
    const std::size_t locations = definitions()->locations.size();
    if (view_->layout().together() > 1)
        parts << u"%1 threads, %2 in a line"_qs.arg(locations).arg(view_->layout().together());
    if (making_) parts << u"levels of detail are being made: %1 %"_qs.arg(qRound(100.0 * *making_));
    if (counted_)
        parts << u"the times of these call paths are being added up: %1 %"_qs.arg(qRound(100.0 * *counted_));
    if (analyzed_)
        parts << u"waits and critical path are being found: %1 %"_qs.arg(qRound(100.0 * *analyzed_));
    if (picture.isRelative) parts << u"100 % is "_qs + quantity(picture.largest, picture.unit, 4);
    if (picture.marks.longestWaits) parts << u"the longest waits are framed"_qs;
    if (!picture.problem.isEmpty()) parts << picture.problem;
    return parts.join(u", "_qs);
}

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
