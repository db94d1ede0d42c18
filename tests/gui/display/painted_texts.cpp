// SPDX-License-Identifier: BSD-3-Clause
#include "tests/gui/display/painted_texts.h"

#include <QGuiApplication>
#include <QScreen>

namespace holos::gui::testing {

/// As the screen has it, so that texts get the same widths.
int PaintedTexts::metric(PaintDeviceMetric which) const {
    const QScreen& screen = *QGuiApplication::primaryScreen();
    switch (which) {
        case PdmWidth:
            return size_.width();
        case PdmHeight:
            return size_.height();
        case PdmDpiX:
        case PdmPhysicalDpiX:
            return qRound(screen.logicalDotsPerInchX());
        case PdmDpiY:
        case PdmPhysicalDpiY:
            return qRound(screen.logicalDotsPerInchY());
        case PdmDevicePixelRatio:
            return 1;
        default:
            return QPaintDevice::metric(which);
    }
}

}  // namespace holos::gui::testing
