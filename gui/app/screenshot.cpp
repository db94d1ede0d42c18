// SPDX-License-Identifier: BSD-3-Clause
#include "gui/app/screenshot.h"

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

#include "gui/app/main_window.h"
#include "gui/app/options.h"
#include "gui/views/browser.h"
#include "gui/views/detail_views.h"
#include "gui/views/source_pane.h"
#include "metric-specs/error.h"

namespace holos::gui {

namespace {

constexpr int kPointsPerInch = 72;

Place placeIn(const QString& file) {
    Place place;
    place.file = file.toStdString();
    return place;
}

}  // namespace

void applyOptions(MainWindow& window, const Options& options) {
    Browser* browser = window.browser();
    QStringList missing;
    if (browser != nullptr) {
        if (!options.reference.isEmpty()) browser->setReference(loadExperiment(options.reference));
        if (options.state) {
            browser->restore(*options.state);
            missing = browser->missing(*options.state);
        }
        if (options.colors) browser->colors().setMap(*options.colors);
    }
    window.setMode(options.mode);
    if (browser == nullptr) return;
    if (!options.metric.isEmpty() && !browser->selectMetric(options.metric))
        throw Error("no metric is called \"" + options.metric.toStdString() + "\"",
                    placeIn(options.files.value(0)));
    if (options.expandHottest) browser->expandHottest();
    SourcePane* source = browser->details()->source();
    std::vector<SourceMapping> mappings = source->mappings();
    mappings.insert(mappings.end(), options.sources.begin(), options.sources.end());
    source->setPlaces(std::move(mappings), source->folders());
    if (options.sideBySide) window.setSideBySide(true);
    if (!options.detail.isEmpty()) browser->details()->open(options.detail);
    if (!missing.isEmpty())
        throw Error("does not have what the state names: " + missing.join(u", "_qs).toStdString(),
                    placeIn(options.files.value(0)));
}

QImage drawWindow(MainWindow& window) {
    QApplication::processEvents();  // layouts and scroll positions settle in the event loop
    QApplication::processEvents();
    while (window.browser() != nullptr && window.browser()->details()->isBusy())
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
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

void writePdf(MainWindow& window, QIODevice& file) {
    QPdfWriter writer(&file);
    writer.setPageSize(QPageSize(QSizeF(window.size()), QPageSize::Point));
    writer.setPageMargins(QMarginsF());
    writer.setResolution(kPointsPerInch);
    QPainter painter(&writer);
    window.render(&painter);
}

#ifdef HOLOS_SVG
void writeSvg(MainWindow& window, QIODevice& file) {
    QSvgGenerator generator;
    generator.setOutputDevice(&file);
    generator.setSize(window.size());
    generator.setViewBox(window.rect());
    generator.setTitle(window.windowTitle());
    QPainter painter(&generator);
    window.render(&painter);
}
#else
void writeSvg(MainWindow&, QIODevice&) {
    throw Error("SVG pictures need Qt Svg, which this Holos was built without");
}
#endif

}  // namespace

void writeView(MainWindow& window, const QString& path) {
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
