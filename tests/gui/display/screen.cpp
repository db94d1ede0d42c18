// SPDX-License-Identifier: BSD-3-Clause
#include "tests/gui/display/screen.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QRegularExpression>
#include <QScrollBar>
#include <QWidget>
#include <QtEndian>
#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace holos::gui::testing {

namespace {

/// What a person sees, with all windows and their frames: changes with the screen.
QImage onScreen;

void repaintEverything() {
    for (QWidget* widget : QApplication::allWidgets())
        if (widget->isVisible()) widget->update();
}

/// By more than one of 256 steps of a colour: Qt rounds the corner of a frame in another way when it paints
/// only a part of it.
bool differ(QRgb one, QRgb other) {
    return std::abs(qRed(one) - qRed(other)) > 1 || std::abs(qGreen(one) - qGreen(other)) > 1 ||
           std::abs(qBlue(one) - qBlue(other)) > 1;
}

/// Around all pixels that differ.
QRect difference(const QImage& one, const QImage& other, const QRegion& where) {
    QRect different;
    for (const QRect& part : where)
        for (int y = part.top(); y <= part.bottom(); ++y) {
            const auto* before = reinterpret_cast<const QRgb*>(one.constScanLine(y));
            const auto* after = reinterpret_cast<const QRgb*>(other.constScanLine(y));
            if (std::equal(before + part.left(), before + part.right() + 1, after + part.left())) continue;
            for (int x = part.left(); x <= part.right(); ++x)
                if (differ(before[x], after[x])) different |= QRect(x, y, 1, 1);
        }
    return different;
}

/// The nearest widget with a name.
QString nameAt(QPoint place) {
    QStringList names;
    for (const QWidget* at = QApplication::widgetAt(place); at != nullptr; at = at->parentWidget())
        names << (at->objectName().isEmpty() ? QString::fromLatin1(at->metaObject()->className())
                                             : at->objectName());
    return names.join(u" in "_qs);
}

void keep(const QImage& before, const QImage& whole, QString after) {
    const QString folder = qEnvironmentVariable("HOLOS_TEST_PICTURES");
    if (folder.isEmpty() || !QDir().mkpath(folder)) return;
    after.replace(QRegularExpression(u"[^A-Za-z0-9]+"_qs), u"-"_qs);
    before.save(folder + u'/' + after + u"-seen.png"_qs);
    whole.save(folder + u'/' + after + u"-whole.png"_qs);
}

}  // namespace

void setScreenFile(const std::string& file) {
    static QFile opened;
    opened.setFileName(QString::fromStdString(file));
    opened.open(QIODevice::ReadOnly);
    const uchar* memory = opened.map(0, opened.size());
    if (memory == nullptr) throw std::runtime_error("the server has no memory in " + file);
    const auto header = [memory](int field) { return qFromBigEndian<int>(memory + 4 * field); };
    enum Field { Size, Width = 4, Height, BytesPerLine = 12, Colours = 19 };
    constexpr int kColour = 12;  ///< bytes
    onScreen = QImage(memory + header(Size) + kColour * header(Colours), header(Width), header(Height),
                      header(BytesPerLine), QImage::Format_RGB32);
}

namespace {

/// Qt itself paints it in another way when it paints it again: below the pointer a part of a scroll bar with
/// other edges than the whole; the arrow at the end of a tool bar that has no room (Qt 6.8) with softer ones
/// at first.
bool isPaintedInTwoWays(const QWidget* widget) {
    return qobject_cast<const QScrollBar*>(widget) != nullptr ||
           widget->objectName() == u"qt_toolbar_ext_button"_qs;
}

/// Without the frames, which the window manager paints when it likes to, and what Qt paints in two ways.
QRegion insideOfWindows() {
    QRegion inside;
    for (const QWidget* window : QApplication::topLevelWidgets())
        if (window->isVisible()) inside |= window->geometry();
    for (const QWidget* widget : QApplication::allWidgets())
        if (isPaintedInTwoWays(widget) && widget->isVisible())
            inside -= QRect(widget->mapToGlobal(QPoint()), widget->size());
    return inside & onScreen.rect();
}

}  // namespace

::testing::AssertionResult isCompletelyPainted(Seat& seat, const QString& after) {
    seat.settle();
    const QRegion inside = insideOfWindows();
    static QImage seen = onScreen.copy();
    std::copy_n(onScreen.constBits(), onScreen.sizeInBytes(), seen.bits());
    repaintEverything();
    seat.settle();
    const QRect where = difference(seen, onScreen, inside | insideOfWindows());
    if (where.isEmpty()) return ::testing::AssertionSuccess();
    keep(seen, onScreen, after);
    return ::testing::AssertionFailure()
           << "after " << after.toStdString() << " the screen shows what is past in " << where.width()
           << " x " << where.height() << " pixels at " << where.x() << ", " << where.y() << ": "
           << nameAt(where.center()).toStdString();
}

}  // namespace holos::gui::testing
