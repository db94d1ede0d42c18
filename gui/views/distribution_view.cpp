// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/distribution_view.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/views/colors.h"

namespace holos::gui {

namespace {

constexpr std::size_t kBins = 32;
constexpr int kMargin = 16;
constexpr int kBoxHeight = 34;
constexpr double kFill = 0.45;

}  // namespace

DistributionView::DistributionView(const SystemModel& system, const Colors& colors, QWidget* parent)
    : QWidget(parent), system_(system), colors_(colors) {
    setObjectName(u"Distribution"_qs);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    connect(&colors, &Colors::changed, this, qOverload<>(&QWidget::update));
}

void DistributionView::update(std::optional<algebra::LocationId> selected) {
    const std::vector<double>& values = system_.locationValues();
    spread_ = algebra::statisticsOf(values);
    const bool equal = !(spread_.minimum < spread_.maximum);
    bins_ = algebra::histogramOf(values, equal ? 1 : std::clamp<std::size_t>(values.size(), 4, kBins));
    format_ = system_.locationFormat();
    marked_ = selected ? std::optional(values[selected->index()]) : std::nullopt;
    if (marked_ && !std::isfinite(*marked_)) marked_.reset();
    QWidget::update();
}

double DistributionView::at(const QRectF& place, double value) const {
    const double width = spread_.maximum - spread_.minimum;
    return width > 0.0 ? place.left() + (value - spread_.minimum) / width * place.width()
                       : place.center().x();
}

QString DistributionView::numbers() const {
    const auto text = [this](const char* name, double value) {
        return u"%1\t%2 %3\n"_qs.arg(QString::fromLatin1(name), format_.number(value), format_.unit());
    };
    return u"locations\t%1\n"_qs.arg(spread_.count) + text("maximum", spread_.maximum) +
           text("upper quartile", spread_.upperQuartile) + text("median", spread_.median) +
           text("lower quartile", spread_.lowerQuartile) + text("minimum", spread_.minimum) +
           text("mean", spread_.mean) + text("standard deviation", spread_.standardDeviation);
}

void DistributionView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(palette().color(QPalette::Text));
    if (spread_.count == 0) {
        painter.drawText(rect(), Qt::AlignCenter, u"no values"_qs);
        return;
    }
    const int line = fontMetrics().lineSpacing();
    QTextOption tabs;
    tabs.setTabStopDistance(fontMetrics().horizontalAdvance(u"standard deviation    "_qs));
    const QRectF text(kMargin, height() - 9.0 * line, width() - 2.0 * kMargin, 9.0 * line);
    painter.drawText(text, numbers(), tabs);
    const QRectF box(kMargin, kMargin, width() - 2.0 * kMargin, kBoxHeight);
    const double axis = text.top() - 1.8 * line;
    paintBins(painter, QRectF(kMargin, box.bottom() + kMargin, box.width(), axis - box.bottom() - kMargin));
    paintBox(painter, box);
    const QRectF below(kMargin, axis + 2, box.width(), line);
    const QString unit = format_.unit().isEmpty() ? QString() : u' ' + format_.unit();
    painter.drawText(below, Qt::AlignLeft, format_.number(spread_.minimum) + unit);
    painter.drawText(below, Qt::AlignRight, format_.number(spread_.maximum) + unit);
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

void DistributionView::paintBins(QPainter& painter, const QRectF& area) const {
    const QRectF place = area.adjusted(0, fontMetrics().lineSpacing(), 0, 0);
    const std::size_t most = *std::max_element(bins_.begin(), bins_.end());
    const double width = place.width() / static_cast<double>(bins_.size());
    const std::size_t marked =
        marked_ ? algebra::binOf(*marked_, spread_.minimum, spread_.maximum, bins_.size()) : bins_.size();
    for (std::size_t bin = 0; bin < bins_.size(); ++bin) {
        const double part = static_cast<double>(bins_[bin]) / static_cast<double>(most);
        const double tall = part * place.height();
        painter.setBrush(bin == marked ? palette().color(QPalette::Link)
                                       : colors_.on(palette()).sequential(kFill));
        const QRectF bar(place.left() + width * static_cast<double>(bin), place.bottom() - tall, width, tall);
        if (bins_[bin] > 0) painter.drawRect(bar);
    }
    painter.drawLine(place.bottomLeft(), place.bottomRight());
    painter.drawText(area, Qt::AlignLeft | Qt::AlignTop, u"%1 locations"_qs.arg(most));
}

}  // namespace holos::gui
