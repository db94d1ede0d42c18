// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/distribution_view.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "gui/models/plain_text.h"
#include "gui/views/parts/colors.h"
#include "gui/views/parts/fitting.h"

namespace holos::gui {

namespace {

constexpr std::size_t kBins = 32;
constexpr int kPlotMargin = 16;
constexpr int kBoxHeight = 34;
constexpr double kFill = 0.45;
constexpr double kWidestBar = 80.0;  ///< pixels: where all values are equal, there is one bar
constexpr double kTextLines = 9.0;

QString locationsText(std::size_t locations) {
    return counted(locations, u"location"_qs, u"locations"_qs);
}

std::array<std::pair<const char*, double>, 7> spreadNumbers(const algebra::Statistics& spread) {
    return {{{"maximum", spread.maximum},
             {"upper quartile", spread.upperQuartile},
             {"median", spread.median},
             {"lower quartile", spread.lowerQuartile},
             {"minimum", spread.minimum},
             {"mean", spread.mean},
             {"standard deviation", spread.standardDeviation}}};
}

}  // namespace

DistributionView::DistributionView(const SystemModel& system, const Colors& colors, QWidget* parent)
    : QWidget(parent), system_(system), colors_(colors) {
    setObjectName(u"Distribution"_qs);
    setAccessibleName(u"Distribution over locations"_qs);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setFocusPolicy(Qt::StrongFocus);
    connect(&colors, &Colors::changed, this, qOverload<>(&QWidget::update));
}

void DistributionView::update(std::optional<algebra::LocationId> selected) {
    const std::vector<double>& values = system_.comparedValues();
    spread_ = algebra::statisticsOf(values);
    const bool equal = !(spread_.minimum < spread_.maximum);
    bins_ = algebra::histogramOf(values, equal ? 1 : std::clamp<std::size_t>(values.size(), 4, kBins));
    writing_ = system_.locationWriting(true);
    selected_ = selected;
    marked_ = selected ? std::optional(values[selected->index()]) : std::nullopt;
    if (marked_ && !std::isfinite(*marked_)) marked_.reset();
    setAccessibleDescription(description());
    QWidget::update();
}

/// What the picture shows, in words.
QString DistributionView::description() const {
    if (spread_.count == 0) return system_.whyNothingIsCompared();
    QStringList parts{locationsText(spread_.count)};
    for (const auto& [name, value] : spreadNumbers(spread_))
        parts << QString::fromLatin1(name) + u' ' + writing_.text(value);
    if (marked_) parts << u"selected location "_qs + writing_.text(*marked_);
    return parts.join(u", "_qs);
}

double DistributionView::at(const QRectF& place, double value) const {
    const double width = spread_.maximum - spread_.minimum;
    return width > 0.0 ? place.left() + (value - spread_.minimum) / width * place.width()
                       : place.center().x();
}

QString DistributionView::numbers() const {
    const auto room = static_cast<int>(textPlace().width() - tabStop());
    QString text = u"locations\t%1\n"_qs.arg(spread_.count);
    for (const auto& [name, value] : spreadNumbers(spread_))
        text += u"%1\t%2\n"_qs.arg(QString::fromLatin1(name),
                                   fitting(writing_.texts(value), fontMetrics(), room));
    return text;
}

void DistributionView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(palette().color(QPalette::Text));
    if (spread_.count == 0) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect().adjusted(kPlotMargin, kPlotMargin, -kPlotMargin, -kPlotMargin),
                         Qt::AlignCenter | Qt::TextWordWrap, system_.whyNothingIsCompared());
        return;
    }
    QTextOption tabs;
    tabs.setTabStopDistance(tabStop());
    painter.drawText(textPlace(), numbers(), tabs);
    paintBins(painter);
    paintBox(painter, boxPlace());
    const QRectF below(kPlotMargin, binsPlace().bottom() + 2, width() - 2.0 * kPlotMargin,
                       fontMetrics().lineSpacing());
    const auto half = static_cast<int>(below.width() / 2.0) - kPlotMargin / 2;
    const auto end = [&](double value) { return fitting(writing_.texts(value), fontMetrics(), half); };
    painter.drawText(below, Qt::AlignLeft, end(spread_.minimum));
    painter.drawText(below, Qt::AlignRight, end(spread_.maximum));
}

double DistributionView::tabStop() const {
    return fontMetrics().horizontalAdvance(u"standard deviation    "_qs);
}

QRectF DistributionView::textPlace() const {
    const double tall = kTextLines * fontMetrics().lineSpacing();
    return {kPlotMargin, height() - tall, width() - 2.0 * kPlotMargin, tall};
}

QRectF DistributionView::boxPlace() const {
    return {kPlotMargin, kPlotMargin, width() - 2.0 * kPlotMargin, kBoxHeight};
}

/// Below the line that says how many the highest bar has.
QRectF DistributionView::binsPlace() const {
    const double line = fontMetrics().lineSpacing();
    const double top = boxPlace().bottom() + kPlotMargin + line;
    return {kPlotMargin, top, width() - 2.0 * kPlotMargin, textPlace().top() - 1.8 * line - top};
}

QRectF DistributionView::barRect(std::size_t bin) const {
    const QRectF place = binsPlace();
    const std::size_t most = *std::ranges::max_element(bins_);
    const double room = place.width() / static_cast<double>(bins_.size());
    const double width = std::min(room, kWidestBar);
    const double tall = static_cast<double>(bins_[bin]) / static_cast<double>(most) * place.height();
    const double left = place.left() + room * static_cast<double>(bin) + (room - width) / 2.0;
    return {left, place.bottom() - tall, width, tall};
}

std::optional<std::size_t> DistributionView::binAt(QPointF place) const {
    const QRectF all = binsPlace();
    if (spread_.count == 0 || !all.contains(place)) return std::nullopt;
    const double part = (place.x() - all.left()) / all.width();
    return std::min(bins_.size() - 1, static_cast<std::size_t>(part * static_cast<double>(bins_.size())));
}

QString DistributionView::textOf(std::size_t bin) const {
    const double width = (spread_.maximum - spread_.minimum) / static_cast<double>(bins_.size());
    const double from = spread_.minimum + width * static_cast<double>(bin);
    return u"%1\n%2 … %3"_qs.arg(locationsText(bins_[bin]), writing_.number(from),
                                 writing_.text(from + width));
}

/// After the selected one, if that is in the bin.
void DistributionView::chooseNext(std::size_t bin) {
    const std::vector<double>& values = system_.comparedValues();
    const std::size_t begin = selected_ ? selected_->index() + 1 : 0;
    for (std::size_t tried = 0; tried < values.size(); ++tried) {
        const std::size_t at = (begin + tried) % values.size();
        if (std::isfinite(values[at]) &&
            algebra::binOf(values[at], spread_.minimum, spread_.maximum, bins_.size()) == bin)
            return Q_EMIT locationChosen(algebra::LocationId(at));
    }
}

void DistributionView::mousePressEvent(QMouseEvent* event) {
    if (const auto bin = binAt(event->position())) chooseNext(*bin);
}

/// Of equal values in the order of locations; without a selected one the smallest or the largest.
void DistributionView::step(int by) {
    const std::vector<double>& values = system_.comparedValues();
    const auto isBefore = [&](std::size_t a, std::size_t b) {
        return values[a] != values[b] ? values[a] < values[b] : a < b;
    };
    std::optional<std::size_t> best;
    for (std::size_t at = 0; at < values.size(); ++at) {
        if (!std::isfinite(values[at])) continue;
        if (marked_ && (by > 0 ? !isBefore(selected_->index(), at) : !isBefore(at, selected_->index())))
            continue;
        if (!best || (by > 0 ? isBefore(at, *best) : isBefore(*best, at))) best = at;
    }
    if (best) Q_EMIT locationChosen(algebra::LocationId(*best));
}

void DistributionView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Left) return step(-1);
    if (event->key() == Qt::Key_Right) return step(1);
    QWidget::keyPressEvent(event);
}

bool DistributionView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto bin = binAt(help->pos());
    QToolTip::showText(help->globalPos(), bin ? asToolTip(textOf(*bin)) : QString(), this);
    return true;
}

/// Whiskers reach to the extremes; the diamond is the mean.
void DistributionView::paintBox(QPainter& painter, const QRectF& place) const {
    const double middle = place.center().y();
    const double low = at(place, spread_.lowerQuartile);
    const double high = at(place, spread_.upperQuartile);
    painter.drawLine(QPointF(at(place, spread_.minimum), middle), QPointF(low, middle));
    painter.drawLine(QPointF(high, middle), QPointF(at(place, spread_.maximum), middle));
    for (const double end : {spread_.minimum, spread_.maximum})
        painter.drawLine(QPointF(at(place, end), middle - 6), QPointF(at(place, end), middle + 6));
    painter.setBrush(colors_.on(palette()).sequential(kFill));
    painter.drawRect(QRectF(QPointF(low, place.top()), QPointF(high, place.bottom())));
    const double median = at(place, spread_.median);
    QPen thick = painter.pen();
    thick.setWidthF(2.5);
    painter.save();
    painter.setPen(thick);
    painter.drawLine(QPointF(median, place.top()), QPointF(median, place.bottom()));
    painter.restore();
    const double mean = at(place, spread_.mean);
    painter.setBrush(palette().color(QPalette::Base));
    painter.drawPolygon(
        QPolygonF{{mean - 4, middle}, {mean, middle - 4}, {mean + 4, middle}, {mean, middle + 4}});
}

void DistributionView::paintBins(QPainter& painter) const {
    const QRectF place = binsPlace();
    const std::size_t marked =
        marked_ ? algebra::binOf(*marked_, spread_.minimum, spread_.maximum, bins_.size()) : bins_.size();
    for (std::size_t bin = 0; bin < bins_.size(); ++bin) {
        painter.setBrush(bin == marked ? palette().color(QPalette::Link)
                                       : colors_.on(palette()).sequential(kFill));
        if (bins_[bin] > 0) painter.drawRect(barRect(bin));
    }
    painter.drawLine(place.bottomLeft(), place.bottomRight());
    painter.drawText(place.topLeft() - QPointF(0, fontMetrics().descent()),
                     locationsText(*std::ranges::max_element(bins_)));
}

}  // namespace holos::gui
