// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/timeline/timeline_curves.h"

#include <QCoreApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "analyzer/trace/anchor.h"
#include "base/error.h"
#include "gui/models/background.h"
#include "gui/models/plain_text.h"
#include "gui/models/quantity.h"
#include "gui/models/timeline/timeline_counter.h"

namespace holos::gui {

namespace {

constexpr int kStrip = 38;
constexpr int kMostStrips = 5;
constexpr int kDigits = 3;
constexpr int kPatience = 150;  ///< milliseconds

/// Of what is known; nothing: nothing is.
std::optional<std::pair<double, double>> extremesOf(const std::vector<double>& values) {
    std::optional<std::pair<double, double>> ends;
    for (const double value : values)
        if (!std::isnan(value))
            ends = ends ? std::pair(std::min(ends->first, value), std::max(ends->second, value))
                        : std::pair(value, value);
    return ends;
}

}  // namespace

TimelineCurves::TimelineCurves(QWidget* parent) : QWidget(parent), bar_(new QScrollBar(Qt::Vertical, this)) {
    setObjectName(u"Timeline curves"_qs);
    setAccessibleName(u"Counters over time"_qs);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    again_.setSingleShot(true);
    again_.setInterval(kPatience);
    connect(&again_, &QTimer::timeout, this, &TimelineCurves::read);
    bar_->setAccessibleName(u"Counters in sight"_qs);
    bar_->hide();
    connect(bar_, &QScrollBar::valueChanged, this, qOverload<>(&QWidget::update));
    hide();
}

QSize TimelineCurves::sizeHint() const {
    return {200, kStrip * std::min(kMostStrips, count())};
}

void TimelineCurves::setTrace(const QString& archive, DefinitionsPtr definitions) {
    archive_ = archive;
    definitions_ = std::move(definitions);
    location_.reset();
    curves_ = {};
    hide();
}

void TimelineCurves::setLocation(std::optional<trace::LocationId> location) {
    if (location == location_) return;
    location_ = location;
    if (definitions_ && !definitions_->metricMembers.empty()) again_.start();
}

void TimelineCurves::setWindow(TimeRange window) {
    if (window == window_) return;
    window_ = window;
    if (!curves_.curves.empty()) again_.start();
    update();
}

void TimelineCurves::setPart(bool isOfPart, TimesInPartPtr times) {
    isOfPart_ = isOfPart;
    part_ = times && times->isExact() ? std::move(times) : nullptr;
    if (definitions_ && !definitions_->metricMembers.empty()) again_.start();
    update();
}

void TimelineCurves::setWidths(int side, int time) {
    if (side == side_ && time == timeWidth_) return;
    side_ = side;
    timeWidth_ = std::max(1, time);
    if (!curves_.curves.empty()) again_.start();
    update();
}

void TimelineCurves::resizeEvent(QResizeEvent*) {
    updateScrolling();
}

void TimelineCurves::wheelEvent(QWheelEvent* event) {
    if (bar_->isVisible()) QCoreApplication::sendEvent(bar_, event);
}

int TimelineCurves::first() const {
    return bar_->value();
}

void TimelineCurves::updateScrolling() {
    bar_->setGeometry(width() - bar_->sizeHint().width(), 0, bar_->sizeHint().width(), height());
    bar_->setPageStep(kMostStrips);
    bar_->setRange(0, std::max(0, count() - kMostStrips));
    bar_->setVisible(count() > kMostStrips);
}

QString TimelineCurves::nameOf(const trace::Curve& curve) const {
    return onOneLine(QString::fromStdString(definitions_->metricMembers[curve.member.index()].name));
}

/// Says of which counters there are curves, also of those out of sight.
void TimelineCurves::describe() {
    QStringList parts;
    if (definitions_ && location_)
        for (const trace::Curve& curve : curves_.curves) {
            const auto ends = extremesOf(curve.means);
            parts << (ends ? u"%1 up to %2"_qs.arg(nameOf(curve), text(ends->second, curve))
                           : nameOf(curve) + u" –"_qs);
        }
    if (isOfAllPaths() && !parts.isEmpty()) parts << u"of all call paths"_qs;
    setAccessibleDescription(parts.join(u"; "_qs));
}

void TimelineCurves::read() {
    if (!location_ || !definitions_ || busy_) {
        if (busy_) again_.start();
        if (!location_) take({}, window_);
        return;
    }
    busy_ = true;
    const trace::TimeGrid grid{window_.from, window_.to, static_cast<std::size_t>(timeWidth_)};
    inBackground(
        this,
        [archive = archive_.toStdString(), definitions = definitions_, location = *location_, grid,
         part = part_] {
            try {
                const auto only = part ? part->stretches(location) : trace::Stretches();
                return trace::readCurves(trace::findAnchor(archive), *definitions, location, grid,
                                         part ? &only : nullptr);
            } catch (const Error&) {
                return trace::Curves{};
            }
        },
        [this, window = window_](const trace::Curves& curves) {
            busy_ = false;
            take(curves, window);
        });
}

void TimelineCurves::take(trace::Curves curves, TimeRange window) {
    const bool isOther = curves.curves.size() != curves_.curves.size();
    curves_ = std::move(curves);
    shown_ = window;
    if (isOther) updateGeometry();
    setVisible(count() > 0);
    updateScrolling();
    describe();
    update();
}

QRect TimelineCurves::stripOf(int curve) const {
    return {side_, (curve - first()) * kStrip, timeWidth_, kStrip};
}

QString TimelineCurves::text(double value, const trace::Curve& curve) const {
    return quantity(value, unitOfCounter(definitions_->metricMembers[curve.member.index()]), kDigits);
}

void TimelineCurves::paintCurve(QPainter& painter, int at) const {
    const trace::Curve& curve = curves_.curves[static_cast<std::size_t>(at)];
    const QRect strip = stripOf(at);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(strip.bottomLeft(), strip.bottomRight());
    const auto ends = extremesOf(curve.means);
    painter.setPen(palette().color(QPalette::Text));
    const QRect label(6, strip.top(), side_ - 12, kStrip);
    painter.drawText(label, Qt::AlignRight | Qt::AlignTop,
                     fontMetrics().elidedText(nameOf(curve), Qt::ElideMiddle, label.width()));
    if (!ends) return;
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(label, Qt::AlignRight | Qt::AlignBottom, u"≤ "_qs + text(ends->second, curve));
    const double low = std::min(0.0, ends->first);
    const double high = std::max(ends->second, low + 1e-300);
    painter.setPen(QPen(palette().color(QPalette::Link), 1.3));
    painter.setClipRect(strip);
    const double run = static_cast<double>(window_.to - window_.from);
    QPainterPath path;
    bool isOpen = false;
    for (std::size_t part = 0; part < curve.means.size(); ++part) {
        const double value = curve.means[part];
        if (std::isnan(value)) {
            isOpen = false;
            continue;
        }
        const double time = static_cast<double>(shown_.from) + static_cast<double>(shown_.to - shown_.from) *
                                                                   (static_cast<double>(part) + 0.5) /
                                                                   static_cast<double>(curve.means.size());
        const QPointF place(side_ + (time - static_cast<double>(window_.from)) / run * strip.width(),
                            strip.bottom() - 2 - (value - low) / (high - low) * (kStrip - 6));
        if (isOpen)
            path.lineTo(place);
        else
            path.moveTo(place);
        isOpen = true;
    }
    painter.drawPath(path);
    painter.setClipping(false);
}

void TimelineCurves::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (!definitions_) return;
    painter.setRenderHint(QPainter::Antialiasing);
    const int end = std::min(first() + kMostStrips, count());
    for (int curve = first(); curve < end; ++curve) paintCurve(painter, curve);
    if (!isOfAllPaths() || end == 0) return;
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(QRect(side_, 0, timeWidth_ - 4, kStrip), Qt::AlignRight | Qt::AlignTop,
                     u"of all call paths"_qs);
}

QString TimelineCurves::textAt(const QPoint& place) const {
    const int at = first() + place.y() / kStrip;
    if (at >= count() || place.x() < side_ || place.x() >= side_ + timeWidth_ || !location_) return {};
    const trace::Curve& curve = curves_.curves[static_cast<std::size_t>(at)];
    const double part = static_cast<double>(place.x() - side_) / timeWidth_;
    const auto bin = std::min(static_cast<std::size_t>(part * static_cast<double>(curve.means.size())),
                              curve.means.size() - 1);
    const QString value = std::isnan(curve.means[bin]) ? u"–"_qs : text(curve.means[bin], curve);
    return u"%1\n%2: %3"_qs.arg(traceLocationName(*definitions_, *location_), nameOf(curve), value) +
           (isOfAllPaths() ? u"\nof all call paths"_qs : QString());
}

bool TimelineCurves::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), asToolTip(textAt(help->pos())), this);
    return true;
}

}  // namespace holos::gui
