// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/parts/colors.h"

#include <QFileInfo>
#include <QPainter>
#include <algorithm>
#include <array>

#include "gui/views/parts/assistive.h"
#include "gui/views/parts/fitting.h"

namespace holos::gui {

namespace {
constexpr int kDarkGround = 128;
}

void Colors::setMap(ColorMap map) {
    if (map == map_) return;
    map_ = map;
    Q_EMIT changed();
}

ColorScale Colors::on(const QPalette& palette) const {
    return {palette.color(QPalette::Base).lightness() < kDarkGround, map_};
}

namespace {
constexpr int kEdge = 10;
constexpr int kBarHeight = 10;
constexpr int kColorSteps = 101;
}  // namespace

ColorLegend::ColorLegend(const Colors& colors, QWidget* parent) : QWidget(parent), colors_(colors) {
    setAccessibleName(u"Colour scale"_qs);
    setToolTip(u"Double click: choose the ends of the scale"_qs);
    connect(&colors, &Colors::changed, this, [this] { update(); });
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ColorLegend::setRange(std::optional<ScaleRange> range) {
    range_ = std::move(range);
    const bool shown = range_ && !range_->isEmpty();
    setAccessibleDescription(
        shown ? u"from %1 to %2"_qs.arg(textsAt(*range_, 0.0).front(), textsAt(*range_, 1.0).front())
              : QString());
    update();
}

void ColorLegend::mouseDoubleClickEvent(QMouseEvent*) {
    Q_EMIT rangeWanted();
}

QSize ColorLegend::sizeHint() const {
    return {120, kBarHeight + fontMetrics().height() + 8};
}

QStringList ColorLegend::textsAt(const ScaleRange& range, double share) {
    return range.format.texts(range.from + share * (range.to - range.from));
}

void ColorLegend::paintEvent(QPaintEvent*) {
    if (!range_ || range_->isEmpty()) return;
    QPainter painter(this);
    const ColorScale scale = colors_.on(palette());
    const QRectF bar(kEdge, 3, width() - 2 * kEdge, kBarHeight);
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    const double from = range_->diverging ? -1.0 : 0.0;
    for (int step = 0; step < kColorSteps; ++step) {
        const double at = step / double{kColorSteps - 1};
        gradient.setColorAt(at, scale.color(from + at * (1.0 - from), range_->diverging));
    }
    QColor text = palette().color(QPalette::WindowText);
    text.setAlphaF(0.3F);
    painter.setPen(text);
    painter.setBrush(gradient);
    painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
    text.setAlphaF(0.7F);
    painter.setPen(text);
    const QRect below(kEdge, kBarHeight + 4, width() - 2 * kEdge, fontMetrics().height() + 2);
    const int half = (below.width() - kEdge) / 2;
    const std::array alignments{Qt::AlignLeft, Qt::AlignHCenter, Qt::AlignRight};
    std::array<QString, 3> texts;
    std::array<int, 3> widths{};
    for (std::size_t at = 0; at < texts.size(); ++at) {
        texts[at] = fitting(textsAt(*range_, static_cast<double>(at) / 2.0), fontMetrics(), half);
        widths[at] = fontMetrics().horizontalAdvance(texts[at]);
    }
    if (widths[1] / 2 + std::max(widths[0], widths[2]) + kEdge > below.width() / 2) texts[1].clear();
    for (std::size_t at = 0; at < texts.size(); ++at) painter.drawText(below, alignments[at], texts[at]);
}

namespace {

constexpr int kLegendEdge = 10;
constexpr int kLegendGap = 5;
constexpr double kFirstHue = 60.0;
constexpr double kHueStep = 137.5;  ///< degrees: neighbours differ most
constexpr double kChroma = 0.1;

}  // namespace

QColor waitColor(bool dark) {
    return fromOkLch(dark ? 0.75 : 0.45, 0.2, 10);
}

QColor folderColor(int number, const QPalette& palette) {
    const double lightness = palette.color(QPalette::Base).lightness() < 128 ? 0.5 : 0.82;
    return number < kColoredFolders ? fromOkLch(lightness, kChroma, kFirstHue + kHueStep * number)
                                    : fromOkLch(lightness, 0.0, 0.0);
}

FolderLegend::FolderLegend(QWidget* parent) : QWidget(parent) {
    setAccessibleName(u"Folders of code"_qs);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void FolderLegend::setFolders(const QStringList& folders) {
    folders_ = folders;
    const QString all = folders.mid(0, kColoredFolders).join(u'\n');
    setTip(*this, folders.size() > kColoredFolders ? all + u"\nand others"_qs : all);
    update();
}

QSize FolderLegend::sizeHint() const {
    return {120, fontMetrics().height() + 8};
}

void FolderLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const int side = fontMetrics().ascent() - 1;
    int left = kLegendEdge;
    for (int at = 0; at < std::min<int>(kColoredFolders, static_cast<int>(folders_.size())); ++at) {
        const QString name = QFileInfo(folders_[at]).fileName();
        const int wide = side + kLegendGap + fontMetrics().horizontalAdvance(name);
        if (left + wide > width() - kLegendEdge) break;
        painter.fillRect(left, (height() - side) / 2, side, side, folderColor(at, palette()));
        painter.drawText(QRect(left + side + kLegendGap, 0, wide, height()), Qt::AlignVCenter, name);
        left += wide + 2 * kLegendEdge;
    }
}

}  // namespace holos::gui
