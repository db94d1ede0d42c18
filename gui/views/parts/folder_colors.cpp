// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/parts/folder_colors.h"

#include <QFileInfo>
#include <QPainter>
#include <algorithm>

#include "gui/views/parts/color_scale.h"
#include "gui/views/parts/tip.h"

namespace holos::gui {

namespace {

constexpr int kLegendEdge = 10;
constexpr int kLegendGap = 5;
constexpr double kFirstHue = 60.0;
constexpr double kHueStep = 137.5;  ///< degrees: neighbours differ most
constexpr double kChroma = 0.1;

}  // namespace

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
