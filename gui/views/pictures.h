// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QImage>
#include <QString>
#include <functional>

class QIODevice;
class QWidget;

namespace holos::gui {

/// Draws the window as it would be on a screen, when all that it reads has come.
QImage drawWindow(QWidget& window);

/// Draws the window at once, with what there is by now.
QImage drawWindowNow(QWidget& window);

/// Writes a picture in the format of its suffix (PNG when there is none), complete or not at all.
/// Throws `holos::Error` that names the file.
void writePicture(const QImage& picture, const QString& path);

/// Writes the window as a picture, or as drawing in a PDF or SVG file. Throws as `writePicture`, also for SVG
/// where Holos was built without Qt Svg.
void writeView(QWidget& window, const QString& path);

/// Writes a file, complete or not at all. Throws `holos::Error` that names it; what `write` throws comes out.
void writeFile(const QString& path, const std::function<void(QIODevice&)>& write);

}  // namespace holos::gui
