// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/timeline/timeline_comparison.h"

#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QPushButton>

#include "gui/models/iterations/iteration_reader.h"
#include "gui/models/quantity.h"
#include "gui/models/timeline/timeline.h"
#include "gui/views/timeline/timeline_tracks.h"
#include "gui/views/timeline/timeline_view.h"

namespace holos::gui {

using trace::Ticks;

namespace {

constexpr double kLongestShift = 1e6;  ///< seconds
constexpr int kLeastShiftBox = 70;     ///< pixels

}  // namespace

TimelineComparison::TimelineComparison(TimelineTracks& tracks, QWidget* parent)
    : QObject(parent),
      tracks_(tracks),
      compare_(new QPushButton(u"Compare…"_qs, parent)),
      shift_(new QDoubleSpinBox(parent)),
      align_(new QPushButton(u"Align runs"_qs, parent)),
      iterations_(IterationDetail::Lengths) {
    compare_->setToolTip(u"Another run below, on the same scale of time"_qs);
    shift_->setAccessibleName(u"Shift of the other run"_qs);
    shift_->setToolTip(
        u"How much later the other run is looked at, so that the same phases stand below each other"_qs);
    shift_->setRange(-kLongestShift, kLongestShift);
    shift_->setDecimals(6);
    shift_->setSingleStep(0.01);
    shift_->setSuffix(u" s later"_qs);
    shift_->setMinimumWidth(kLeastShiftBox);
    shift_->hide();
    align_->setToolTip(
        u"Shift the other run so that the iteration in the middle of what is in sight begins at the same place in both"_qs);
    align_->hide();
    connect(compare_, &QPushButton::clicked, this, &TimelineComparison::askForOther);
    connect(shift_, &QDoubleSpinBox::valueChanged, &tracks_, &TimelineTracks::setShift);
    connect(align_, &QPushButton::clicked, this, &TimelineComparison::align);
    connect(&iterations_, &IterationReader::read, this, &TimelineComparison::takeIterations);
}

void TimelineComparison::askForOther() {
    if (tracks_.other() != nullptr) return compareWith({});
    const QString path = QFileDialog::getOpenFileName(compare_, u"Open the trace of another run"_qs, {},
                                                      u"OTF2 archives (*.otf2)"_qs);
    if (!path.isEmpty()) compareWith(path);
}

void TimelineComparison::compareWith(const QString& archive) {
    shift_->setValue(0.0);
    shift_->setHidden(archive.isEmpty());
    align_->setHidden(archive.isEmpty());
    compare_->setText(archive.isEmpty() ? u"Compare…"_qs : u"Alone"_qs);
    tracks_.compareWith(archive);
}

QString TimelineComparison::other() const {
    return tracks_.other() == nullptr ? QString() : tracks_.other()->archive();
}

double TimelineComparison::shift() const {
    return shift_->value();
}

void TimelineComparison::setShift(double seconds) {
    shift_->setValue(seconds);
}

bool TimelineComparison::isBusy() const {
    return !align_->isEnabled();
}

void TimelineComparison::align() {
    if (tracks_.other() != nullptr)
        findIterations({tracks_.first()->archive(), other()}, [this] { alignNow(); });
}

/// Reads the iterations of each trace once, in the background.
void TimelineComparison::findIterations(const QStringList& archives, const std::function<void()>& then) {
    if (isBusy()) return;
    align_->setEnabled(false);
    wanted_ = archives;
    whenFound_ = then;
    Q_EMIT told(archives.size() > 1 ? u"Looking for the iterations of both runs …"_qs
                                    : u"Looking for the iterations of the run …"_qs);
    for (const QString& archive : archives) iterations_.want({archive, archive, nullptr});
}

/// When all that are wanted are known.
void TimelineComparison::takeIterations() {
    for (const QString& archive : wanted_)
        if (iterations_.isReading(archive)) return;
    align_->setEnabled(true);
    whenFound_();
}

/// None where no loop is found, or the trace cannot be read, which is told where it is opened.
query::IterationTimes TimelineComparison::iterationsOf(const QString& archive) const {
    const auto known = iterations_.find(archive);
    return known ? known->times : query::IterationTimes();
}

/// As a range, which all views can be restricted to.
void TimelineComparison::selectIteration(Ticks time) {
    const QString archive = tracks_.first()->archive();
    findIterations({archive}, [this, archive, time] {
        const DefinitionsPtr definitions = tracks_.first()->definitions();
        if (!definitions) return;
        const query::IterationTimes all = iterationsOf(archive);
        const auto found = iterationAt(definitions->seconds(time), all);
        const double mean = all.begins.empty()
                                ? 0.0
                                : (all.end - all.begins.front()) / static_cast<double>(all.begins.size());
        Q_EMIT told(found ? u"Iteration %1 of %2: %3, all on average %4"_qs.arg(found->number)
                                .arg(all.begins.size())
                                .arg(durationText(found->to - found->from), durationText(mean))
                          : u"No iteration is known here"_qs);
        if (found)
            tracks_.first()->view()->setRange(
                TimeRange{nearestTick(*definitions, found->from), nearestTick(*definitions, found->to)});
    });
}

void TimelineComparison::alignNow() {
    const TimelineTrack& first = *tracks_.first();
    if (tracks_.other() == nullptr || !first.definitions()) return;
    const TimelineView& view = *first.view();
    const double middle = first.definitions()->seconds(view.from() + (view.to() - view.from()) / 2);
    const auto aligned =
        alignedAt(middle, iterationsOf(first.archive()).begins, iterationsOf(other()).begins);
    if (aligned) shift_->setValue(aligned->shift);
    Q_EMIT told(aligned ? u"Iteration %1 begins at the same place in both runs"_qs.arg(aligned->number)
                        : u"No iteration is known that both runs have here"_qs);
}

}  // namespace holos::gui
