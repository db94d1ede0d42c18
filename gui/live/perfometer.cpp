// SPDX-License-Identifier: BSD-3-Clause
#include "gui/live/perfometer.h"

#include <QPainter>
#include <algorithm>

#include "gui/models/quantity.h"
#include "gui/views/parts/colors.h"

namespace holos::gui {

namespace {

constexpr int kLines = 6;  ///< of text, high
constexpr int kDigits = 4;
constexpr double kMargin = 4.0;
constexpr double kWide = 1.6;
constexpr double kPale = 0.25;
constexpr std::size_t kMostLines = 64;
constexpr double kBox = 0.7;  ///< of the height of letters

}  // namespace

Perfometer::Perfometer(QWidget* parent) : QWidget(parent) {
    setObjectName(u"Perfometer"_qs);
    setAccessibleName(u"A metric over time"_qs);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setMinimumHeight(fontMetrics().height() * 3);
}

QSize Perfometer::sizeHint() const {
    return {400, fontMetrics().height() * kLines};
}

void Perfometer::clear() {
    history_.clear();
    rows_.clear();
    chosen_ = kAll;
    metric_ = watch::kMetricLost;
    measure();
}

void Perfometer::add(const LiveLook& look) {
    history_.add(look.rows);
    metrics_ = look.metrics;
    rows_.clear();
    for (const watch::Row& row : look.rows) rows_.push_back(row.name);
    measure();
}

void Perfometer::setMetric(std::size_t metric) {
    metric_ = metric;
    measure();
}

void Perfometer::setChosen(Chosen<std::string> rows) {
    chosen_ = std::move(rows);
    measure();
}

/// Everything that is painted of the metric.
void Perfometer::measure() {
    lines_.clear();
    largest_ = 0.0;
    for (const std::string& row : rows_) {
        const auto& line = lines_.emplace_back(history_.of(row, metric_, watch::History::kMost));
        for (const double value : line) largest_ = std::max(largest_, value);
    }
    describe();
    update();
}

QString Perfometer::written(double value) const {
    const QString unit =
        metric_ < metrics_.size() ? QString::fromStdString(metrics_[metric_].unit) : QString();
    return quantity(value, unit, kDigits);
}

/// The newest values, in words.
void Perfometer::describe() {
    QStringList parts;
    for (std::size_t at = 0; at < rows_.size() && parts.size() < kColoredFolders; ++at)
        if (!lines_[at].empty() && chosen_.has(rows_[at]))
            parts << QString::fromStdString(rows_[at]) + u' ' + written(lines_[at].back());
    setAccessibleDescription(parts.join(u", "_qs));
}

/// The newest value is at the right end.
QPolygonF Perfometer::points(const QRectF& area, const std::vector<double>& values) const {
    const double step = area.width() / static_cast<double>(watch::History::kMost - 1);
    QPolygonF line;
    for (std::size_t at = 0; at < values.size(); ++at)
        line << QPointF(area.right() - step * static_cast<double>(values.size() - 1 - at),
                        area.bottom() - (largest_ > 0.0 ? values[at] / largest_ * area.height() : 0.0));
    if (line.size() == 1) line << line.front() - QPointF(step, 0);
    return line;
}

/// All processes: of many what lies between the smallest and the largest.
void Perfometer::paintAll(QPainter& painter, const QRectF& area) const {
    QColor pale = palette().color(QPalette::Text);
    pale.setAlphaF(kPale);
    painter.setPen(pale);
    if (lines_.size() <= kMostLines) {
        for (const auto& line : lines_) painter.drawPolyline(points(area, line));
        return;
    }
    std::vector<double> least, most;  // the newest first
    for (const auto& line : lines_)
        for (std::size_t at = 0; at < line.size(); ++at) {
            const double value = line[line.size() - 1 - at];
            if (at == least.size()) {
                least.push_back(value);
                most.push_back(value);
            }
            least[at] = std::min(least[at], value);
            most[at] = std::max(most[at], value);
        }
    QPolygonF band = points(area, {least.rbegin(), least.rend()});
    const QPolygonF top = points(area, {most.rbegin(), most.rend()});
    for (auto at = top.rbegin(); at != top.rend(); ++at) band << *at;
    painter.setBrush(pale);
    painter.drawPolygon(band);
    painter.setBrush(Qt::NoBrush);
}

/// Where nothing is chosen and colours are enough for all, all: pale lines alone are hard to see.
std::vector<std::size_t> Perfometer::chosenRows() const {
    std::vector<std::size_t> places;
    if (chosen_.isAll() && rows_.size() > kColoredFolders) return places;
    for (std::size_t at = 0; at < rows_.size() && places.size() < kColoredFolders; ++at)
        if (chosen_.has(rows_[at]) && !lines_[at].empty()) places.push_back(at);
    return places;
}

/// What the top of the plot means, and the newest value of each process that is chosen.
void Perfometer::paintLegend(QPainter& painter, double left) const {
    const QFontMetrics metrics = fontMetrics();
    painter.setPen(palette().color(QPalette::PlaceholderText));
    const QString top = u"up to %1, last %2 s"_qs.arg(written(largest_)).arg(watch::History::kMost);
    painter.drawText(QPointF(left, metrics.ascent()), top);
    left += metrics.horizontalAdvance(top + u"MM"_qs);
    const double box = metrics.ascent() * kBox;
    int number = 0;
    for (const std::size_t at : chosenRows()) {
        painter.fillRect(QRectF(left, metrics.ascent() - box, box, box), folderColor(number++, palette()));
        painter.setPen(palette().color(QPalette::Text));
        const QString now = QString::fromStdString(rows_[at]) + u": "_qs + written(lines_[at].back());
        painter.drawText(QPointF(left + box * 2, metrics.ascent()), now);
        left += box * 2 + metrics.horizontalAdvance(now + u"MM"_qs);
    }
}

void Perfometer::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int text = fontMetrics().height();
    const QRectF area = QRectF(rect()).adjusted(kMargin, text + kMargin, -kMargin, -kMargin);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    paintAll(painter, area);
    int number = 0;
    for (const std::size_t at : chosenRows()) {
        painter.setPen(QPen(folderColor(number++, palette()), kWide));
        painter.drawPolyline(points(area, lines_[at]));
    }
    paintLegend(painter, area.left());
}

}  // namespace holos::gui
