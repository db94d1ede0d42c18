// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/pictures.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QFileInfo>
#include <QHoverEvent>
#include <QImageWriter>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#ifdef HOLOS_SVG
#include <QSvgGenerator>
#endif

#include "base/error.h"
#include "gui/views/detail_views.h"

namespace holos::gui {

namespace {

constexpr int kPointsPerInch = 72;

Place placeIn(const QString& file) {
    Place place;
    place.file = file.toStdString();
    return place;
}

}  // namespace

QImage drawWindow(QWidget& window) {
    QApplication::processEvents();  // layouts and scroll positions settle in the event loop
    QApplication::processEvents();
    for (const DetailViews* details : window.findChildren<DetailViews*>())
        while (details->isVisibleTo(&window) && details->isBusy())
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    return drawWindowNow(window);
}

QImage drawWindowNow(QWidget& window) {
    for (QAbstractItemView* view : window.findChildren<QAbstractItemView*>()) {
        // Wherever the pointer is, it is no part of the picture.
        QHoverEvent leave(QEvent::HoverLeave, QPointF(), QPointF(), QPointF());
        QApplication::sendEvent(view->viewport(), &leave);
    }
    return window.grab().toImage().convertToFormat(QImage::Format_RGB32);  // nothing shines through
}

void writeFile(const QString& path, const std::function<void(QIODevice&)>& write) {
    const Place place = placeIn(path);
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        throw Error("cannot be written: " + file.errorString().toStdString(), place);
    write(file);
    if (!file.commit()) throw Error("cannot be written: " + file.errorString().toStdString(), place);
}

void writePicture(const QImage& picture, const QString& path) {
    writeFile(path, [&](QIODevice& file) {
        const QByteArray suffix = QFileInfo(path).suffix().toLower().toLatin1();
        QImageWriter writer(&file, suffix.isEmpty() ? QByteArrayLiteral("png") : suffix);
        writer.setCompression(100);
        if (!writer.write(picture))
            throw Error("cannot be written: " + writer.errorString().toStdString(), placeIn(path));
    });
}

namespace {

void writePdf(QWidget& window, QIODevice& file) {
    QPdfWriter writer(&file);
    writer.setPageSize(QPageSize(QSizeF(window.size()), QPageSize::Point));
    writer.setPageMargins(QMarginsF());
    writer.setResolution(kPointsPerInch);
    QPainter painter(&writer);
    window.render(&painter);
}

#ifdef HOLOS_SVG
void writeSvg(QWidget& window, QIODevice& file) {
    QSvgGenerator generator;
    generator.setOutputDevice(&file);
    generator.setSize(window.size());
    generator.setViewBox(window.rect());
    generator.setTitle(window.windowTitle());
    QPainter painter(&generator);
    window.render(&painter);
}
#else
void writeSvg(QWidget&, QIODevice&) {
    throw Error("SVG pictures need Qt Svg, which this Holos was built without");
}
#endif

}  // namespace

void writeView(QWidget& window, const QString& path) {
    const QImage picture = drawWindow(window);
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == u"pdf")
        writeFile(path, [&window](QIODevice& file) { writePdf(window, file); });
    else if (suffix == u"svg")
        writeFile(path, [&window](QIODevice& file) { writeSvg(window, file); });
    else
        writePicture(picture, path);
}

}  // namespace holos::gui
