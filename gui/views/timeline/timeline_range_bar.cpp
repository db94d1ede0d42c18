// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/timeline/timeline_range_bar.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <algorithm>
#include <numeric>

#include "gui/models/quantity.h"
#include "gui/models/timeline/timeline_content.h"
#include "gui/models/timeline/timeline_marks.h"
#include "gui/views/parts/fitting.h"

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

}  // namespace

QString rangeText(const trace::Definitions& definitions, const ShownLocations& shown, trace::Ticks from,
                  trace::Ticks to, const LevelsPtr& levels, const CoursePtr& course,
                  const TimelineNames& names, Digits digits) {
    QString text = lengthText(definitions, from, to, digits);
    if (levels) text += activitiesText(sharesIn(*levels, shown, from, to));
    return course ? text + waitsText(waitsIn(*course, definitions, shown, from, to), names) : text;
}

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

TimelineRangeBar::TimelineRangeBar(QWidget* parent) : QWidget(parent), label_(new ElidedLabel(this)) {
    auto* across = new QHBoxLayout(this);
    across->setContentsMargins(8, 3, 6, 3);
    across->setSpacing(8);
    across->addWidget(label_, 1);
    only_ = add(u"Only this range"_qs, u"All panes show the values of this range of time alone"_qs);
    zoom_ = add(u"Zoom"_qs, u"Show this range in the whole width"_qs);
    clear_ = add(u"Clear"_qs, u"Select no range (Escape)"_qs);
    whole_ = add(u"Whole run"_qs, u"All panes show the values of the whole run again"_qs);
    save_ = add(u"Save…"_qs, u"Write the values of this range into a file"_qs);
    connect(only_, &QPushButton::clicked, this, &TimelineRangeBar::onlyWanted);
    connect(zoom_, &QPushButton::clicked, this, &TimelineRangeBar::zoomWanted);
    connect(clear_, &QPushButton::clicked, this, &TimelineRangeBar::clearWanted);
    connect(whole_, &QPushButton::clicked, this, &TimelineRangeBar::wholeWanted);
    connect(save_, &QPushButton::clicked, this, &TimelineRangeBar::saveWanted);
    hide();
}

QPushButton* TimelineRangeBar::add(const QString& text, const QString& tip) {
    auto* button = new QPushButton(text, this);
    button->setToolTip(tip);
    layout()->addWidget(button);
    return button;
}

QString TimelineRangeBar::text() const {
    return isHidden() ? QString() : label_->text();
}

void TimelineRangeBar::showSelected(const QString& text, bool canEnd) {
    label_->setText(text);
    for (QPushButton* button : {only_, zoom_, clear_}) button->show();
    whole_->setVisible(canEnd);
    save_->hide();
    show();
}

void TimelineRangeBar::showFiltered(const QString& text, bool canEnd) {
    label_->setText(text);
    for (QPushButton* button : {only_, zoom_, clear_}) button->hide();
    whole_->setVisible(canEnd);
    save_->show();
    show();
}

void TimelineRangeBar::showProgress(const QString& text) {
    label_->setText(text);
    for (QPushButton* button : {only_, zoom_, clear_, whole_, save_}) button->hide();
    show();
}

}  // namespace holos::gui
