// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/timeline/timeline_range_bar.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <algorithm>
#include <numeric>

#include "gui/models/timeline/timeline_content.h"
#include "gui/models/timeline/timeline_marks.h"
#include "gui/models/timeline/times_in_part.h"
#include "gui/views/parts/fitting.h"
#include "gui/views/timeline/timeline_tracks.h"
#include "gui/views/timeline/timeline_view.h"

namespace holos::gui {
namespace {

constexpr std::size_t kWaitsOfRange = 3;

QString activitiesText(const std::vector<double>& parts) {
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

QString waitsText(const std::vector<std::pair<std::string, double>>& waits, const TimelineNames& names) {
    QString text;
    for (std::size_t at = 0; at < std::min(kWaitsOfRange, waits.size()); ++at)
        text += u" · %1 "_qs.arg(names.of(waits[at].first)) + durationText(waits[at].second);
    return text;
}

QString lengthText(const trace::Definitions& definitions, trace::Ticks from, trace::Ticks to, Digits digits) {
    return momentText(definitions.seconds(from)) + u" … "_qs + momentText(definitions.seconds(to)) +
           u": "_qs + durationText(definitions.seconds(to - from), digits);
}

/// A part of a run in words: how long it is, what the time of all locations was spent for, and its largest
/// waits, as far as that is known. Levels and course may be null.
QString rangeText(const trace::Definitions& definitions, const ShownLocations& shown, trace::Ticks from,
                  trace::Ticks to, const LevelsPtr& levels, const CoursePtr& course,
                  const TimelineNames& names, Digits digits) {
    QString text = lengthText(definitions, from, to, digits);
    if (levels) text += activitiesText(sharesIn(*levels, shown, from, to));
    return course ? text + waitsText(waitsIn(*course, definitions, shown, from, to), names) : text;
}

/// A range in words, of the calls that are shown, where these are not all.
QString rangeTextInPart(const trace::Definitions& definitions, const TimesInPart& part, trace::Ticks from,
                        trace::Ticks to, const CoursePtr& course, const TimelineNames& names, Digits digits) {
    const auto times = part.times({{0, definitions.locations.size()}}, from, to, 1).front();
    std::vector<double> shares(times.begin(), times.end());
    const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares) share /= std::max(1.0, all);
    QString text = lengthText(definitions, from, to, digits) +
                   u" · in these call paths %1"_qs.arg(
                       durationText(definitions.seconds(static_cast<trace::Ticks>(all)), digits)) +
                   activitiesText(shares);
    if (!course) return text;
    if (!part.isExact()) return text + u" · waits here are not known"_qs;
    return text + waitsText(waitsInPart(*course, definitions, part, from, to), names);
}

}  // namespace

TimelineRangeBar::TimelineRangeBar(const algebra::Experiment& experiment, TimelineTrack& track,
                                   const TimelineNames& names, QWidget* parent)
    : QWidget(parent), experiment_(experiment), track_(track), names_(names), label_(new ElidedLabel(this)) {
    auto* across = new QHBoxLayout(this);
    across->setContentsMargins(8, 3, 6, 3);
    across->setSpacing(8);
    across->addWidget(label_, 1);
    only_ = add(u"Only this range"_qs, u"All panes show the values of this range of time alone"_qs);
    zoom_ = add(u"Zoom"_qs, u"Show this range in the whole width"_qs);
    clear_ = add(u"Clear"_qs, u"Select no range (Escape)"_qs);
    whole_ = add(u"Whole run"_qs, u"All panes show the values of the whole run again"_qs);
    save_ = add(u"Save…"_qs, u"Write the values of this range into a file"_qs);
    connectButtons();
    connect(track_.view(), &TimelineView::rangeChanged, this, &TimelineRangeBar::tell);
    connect(&track_, &TimelineTrack::prepared, this, &TimelineRangeBar::tell);
    tell();
}

QPushButton* TimelineRangeBar::add(const QString& text, const QString& tip) {
    auto* button = new QPushButton(text, this);
    button->setToolTip(tip);
    layout()->addWidget(button);
    return button;
}

void TimelineRangeBar::connectButtons() {
    connect(only_, &QPushButton::clicked, this, &TimelineRangeBar::onlyWanted);
    connect(whole_, &QPushButton::clicked, this, &TimelineRangeBar::wholeWanted);
    connect(save_, &QPushButton::clicked, this, &TimelineRangeBar::saveWanted);
    TimelineView* const view = track_.view();
    connect(clear_, &QPushButton::clicked, view, [view] { view->setRange(std::nullopt); });
    connect(zoom_, &QPushButton::clicked, view, [view] {
        if (const auto range = view->range())
            view->changeWindow(static_cast<double>(range->from), static_cast<double>(range->to));
    });
}

QString TimelineRangeBar::text() const {
    return isHidden() ? QString() : label_->text();
}

/// A button that vanishes would hand it to whatever comes next, such as the list of waits.
void TimelineRangeBar::keepKeyboard() {
    if (isAncestorOf(QApplication::focusWidget())) track_.view()->setFocus();
}

/// What an experiment of a part of a run says of itself: two times in seconds.
std::optional<QString> TimelineRangeBar::shownSeconds() const {
    for (const auto& [name, value] : experiment_.attributes)
        if (name == "holos.range") return QString::fromStdString(value);
    return std::nullopt;
}

std::optional<TimeRange> TimelineRangeBar::shownRange() const {
    const auto seconds = shownSeconds();
    if (!seconds) return std::nullopt;
    const QStringList ends = seconds->split(u' ');
    const auto ticks = [&](qsizetype at) {
        return nearestTick(*track_.definitions(), ends.value(at).toDouble());
    };
    return TimeRange{ticks(0), ticks(1)};
}

QString TimelineRangeBar::textOfSelected() const {
    const trace::Definitions& definitions = *track_.definitions();
    const auto [from, to] = *track_.view()->range();
    if (const TimesInPartPtr part = track_.timesInPart())
        return rangeTextInPart(definitions, *part, from, to, track_.course(), names_, digits_);
    return rangeText(definitions, track_.shown(), from, to, track_.levels(), track_.course(), names_,
                     digits_) +
           (track_.view()->hasCallsOutsideOfPart() ? u" · of all call paths"_qs : QString());
}

void TimelineRangeBar::tell() {
    keepKeyboard();
    const auto shown = shownSeconds();
    const auto& range = track_.view()->range();
    const bool isSelected = track_.definitions() && range && range->to > range->from;
    if (isSelected && range != shownRange()) return showSelected();
    if (!shown) return hide();
    showShown(*shown);
}

void TimelineRangeBar::showSelected() {
    label_->setText(textOfSelected());
    for (QPushButton* button : {only_, zoom_, clear_}) button->show();
    whole_->setVisible(knowsWholeRun_);
    save_->hide();
    show();
}

void TimelineRangeBar::showShown(const QString& seconds) {
    const QStringList ends = seconds.split(u' ');
    label_->setText(u"All panes show the values from %1 s to %2 s only"_qs.arg(ends.value(0), ends.value(1)));
    for (QPushButton* button : {only_, zoom_, clear_}) button->hide();
    whole_->setVisible(knowsWholeRun_);
    save_->show();
    show();
}

void TimelineRangeBar::tellProgress(double part) {
    keepKeyboard();
    label_->setText(u"The values of this range are being made: %1 %"_qs.arg(qRound(100.0 * part)));
    for (QPushButton* button : {only_, zoom_, clear_, whole_, save_}) button->hide();
    show();
}

void TimelineRangeBar::setWholeRunKnown() {
    knowsWholeRun_ = true;
    tell();
}

}  // namespace holos::gui
