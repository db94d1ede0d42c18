// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/timeline/timeline_overview.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "base/error.h"
#include "gui/models/timeline/timeline_content.h"
#include "gui/views/timeline/timeline_colors.h"

namespace holos::gui {

using trace::Ticks;

namespace {

constexpr int kHeight = 24;
constexpr std::size_t kBins = 600;

/// From the ground up: what is lost stands on the base line.
constexpr std::array kFromBelow{Activity::Mpi, Activity::OpenMpWaiting, Activity::Other, Activity::OpenMp,
                                Activity::User};

}  // namespace

TimelineOverview::TimelineOverview(QWidget* parent) : QWidget(parent) {
    setObjectName(u"Timeline overview"_qs);
    setAccessibleName(u"Overview of the whole run"_qs);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setToolTip(u"The whole run: a click or drag shows another part of it"_qs);
    hide();
}

QSize TimelineOverview::sizeHint() const {
    return {200, kHeight};
}

void TimelineOverview::setLevels(LevelsPtr levels, const ShownLocations& shown) {
    levels_ = std::move(levels);
    shown_ = shown;
    setVisible(levels_ != nullptr);
    countTimes();
}

void TimelineOverview::setPart(bool isOfPart, const TimesInPartPtr& times) {
    isOfPart_ = isOfPart;
    part_ = times;
    countTimes();
}

void TimelineOverview::countTimes() {
    times_.clear();
    if (!levels_) return;
    const analyzer::timeline::TimeGrid& grid = levels_->grid();
    try {
        if (part_)
            times_ = part_->times({{0, levels_->locations()}}, 0, grid.length(), kBins);
        else
            for (const auto& bin :
                 timesOf(*levels_, shown_, grid.levelFor(0, grid.length(), static_cast<double>(kBins))))
                std::ranges::copy(bin, times_.emplace_back().begin());
    } catch (const Error&) {  // the view says so
    }
    setToolTip(u"The whole run: a click or drag shows another part of it"_qs +
               (isOfAllPaths() ? u". The colours are of all call paths"_qs : QString()));
    describe();
    update();
}

/// What the picture shows, in words.
void TimelineOverview::describe() {
    if (!levels_) return setAccessibleDescription({});
    std::array<double, analyzer::timeline::kActivities> sums{};
    double all = 0;
    for (const auto& bin : times_)
        for (std::size_t activity = 0; activity < sums.size(); ++activity) {
            sums[activity] += bin[activity];
            all += bin[activity];
        }
    QStringList parts;
    for (const Activity activity : kFromBelow)
        if (const double sum = sums[static_cast<std::size_t>(activity)]; sum > 0)
            parts << u"%1 %2 %"_qs.arg(nameOf(activity)).arg(100.0 * sum / all, 0, 'f', 0);
    const double length = static_cast<double>(levels_->grid().length()) / 100.0;
    if (isOfAllPaths()) parts << u"of all call paths"_qs;
    setAccessibleDescription(u"%1; in sight: from %2 % to %3 % of the run"_qs.arg(parts.join(u", "_qs))
                                 .arg(static_cast<double>(window_.from) / length, 0, 'f', 1)
                                 .arg(static_cast<double>(window_.to) / length, 0, 'f', 1));
}

void TimelineOverview::setSide(int pixels) {
    side_ = pixels;
    update();
}

void TimelineOverview::setWindow(TimeRange window) {
    window_ = window;
    describe();
    update();
}

void TimelineOverview::setRange(std::optional<TimeRange> range) {
    range_ = range;
    update();
}

double TimelineOverview::xOf(Ticks time) const {
    return side_ + static_cast<double>(time) / static_cast<double>(levels_->grid().length()) *
                       std::max(1, width() - side_);
}

void TimelineOverview::paintTimes(QPainter& painter) const {
    const bool dark = palette().color(QPalette::Base).lightness() < 128;
    const double each = std::max(1, width() - side_) / static_cast<double>(times_.size());
    double largest = 1.0;
    const auto of = [](const TimesInPart::Times& bin, Activity activity) {
        return bin[static_cast<std::size_t>(activity)];
    };
    for (const auto& bin : times_) {
        double sum = 0;
        for (const Activity activity : kFromBelow) sum += of(bin, activity);
        largest = std::max(largest, sum);
    }
    for (std::size_t at = 0; at < times_.size(); ++at) {
        double bottom = height() - 2;
        for (const Activity activity : kFromBelow) {
            const double high = of(times_[at], activity) / largest * (height() - 4);
            const double left = side_ + each * static_cast<double>(at);
            painter.fillRect(QRectF(left, bottom - high, each + 0.5, high), colorOfActivity(activity, dark));
            bottom -= high;
        }
    }
}

void TimelineOverview::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (!levels_) return;
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(QRect(6, 0, side_ - 12, height()), Qt::AlignRight | Qt::AlignVCenter,
                     isOfAllPaths() ? u"all call paths"_qs : u"whole run"_qs);
    if (!times_.empty()) paintTimes(painter);
    // Of two runs, one may have a time in sight that is before its start or after its end.
    const double left = std::max(static_cast<double>(side_), xOf(window_.from));
    const double right = std::max(std::min(static_cast<double>(width()), xOf(window_.to)), left + 2.0);
    QColor veil = palette().color(QPalette::Base);
    veil.setAlpha(140);
    painter.fillRect(QRectF(side_, 0, left - side_, height()), veil);
    painter.fillRect(QRectF(right, 0, width() - right, height()), veil);
    painter.setPen(QPen(palette().color(QPalette::Text), 1.0));
    painter.drawRect(QRectF(left, 0.5, right - left - 1, height() - 1.5));
    if (!range_) return;
    painter.setPen(QPen(palette().color(QPalette::Link), 2.0));
    painter.drawLine(QPointF(xOf(range_->from), height() - 2), QPointF(xOf(range_->to), height() - 2));
}

void TimelineOverview::mousePressEvent(QMouseEvent* event) {
    if (!levels_ || event->position().x() < side_) return;
    const double part = (event->position().x() - side_) / std::max(1, width() - side_);
    Q_EMIT wanted(static_cast<Ticks>(part * static_cast<double>(levels_->grid().length())));
}

void TimelineOverview::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) mousePressEvent(event);
}

}  // namespace holos::gui
