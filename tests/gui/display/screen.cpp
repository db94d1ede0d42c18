// SPDX-License-Identifier: BSD-3-Clause
#include "tests/gui/display/screen.h"

#include <QApplication>
#include <QDir>
#include <QPainter>
#include <QPixmap>
#include <QRegularExpression>
#include <QScreen>
#include <QScrollBar>
#include <QWidget>

namespace holos::gui::testing {

namespace {

void repaintEverything() {
    for (QWidget* widget : QApplication::allWidgets())
        if (widget->isVisible()) widget->update();
}

/// Around all pixels that differ.
QRect difference(const QImage& one, const QImage& other) {
    QRect different;
    for (int y = 0; y < one.height(); ++y)
        for (int x = 0; x < one.width(); ++x)
            if (one.pixel(x, y) != other.pixel(x, y)) different |= QRect(x, y, 1, 1);
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

QImage screenshot() {
    return QGuiApplication::primaryScreen()->grabWindow(0).toImage().convertToFormat(QImage::Format_RGB32);
}

namespace {

/// Without the frames, which the window manager paints when it likes to, and without scroll bars: below the
/// pointer Qt itself paints a part of one with other edges than the whole.
QImage insideOfWindows() {
    QRegion inside;
    for (const QWidget* window : QApplication::topLevelWidgets())
        if (window->isVisible()) inside |= window->geometry();
    for (const QWidget* widget : QApplication::allWidgets())
        if (qobject_cast<const QScrollBar*>(widget) != nullptr && widget->isVisible())
            inside -= QRect(widget->mapToGlobal(QPoint()), widget->size());
    QImage seen = screenshot();
    QPainter painter(&seen);
    painter.setClipRegion(QRegion(seen.rect()) - inside);
    painter.fillRect(seen.rect(), Qt::black);
    return seen;
}

}  // namespace

::testing::AssertionResult isCompletelyPainted(Seat& seat, const QString& after) {
    seat.settle();
    const QImage seen = insideOfWindows();
    repaintEverything();
    seat.settle();
    const QImage whole = insideOfWindows();
    if (seen == whole) return ::testing::AssertionSuccess();
    keep(seen, whole, after);
    const QRect where = difference(seen, whole);
    return ::testing::AssertionFailure()
           << "after " << after.toStdString() << " the screen shows what is past in " << where.width()
           << " x " << where.height() << " pixels at " << where.x() << ", " << where.y() << ": "
           << nameAt(where.center()).toStdString();
}

}  // namespace holos::gui::testing
