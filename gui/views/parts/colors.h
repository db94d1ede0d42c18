// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <QPalette>
#include <QStringList>
#include <QWidget>
#include <optional>

#include "gui/models/tree_model.h"
#include "gui/views/parts/color_scale.h"

namespace holos::gui {

/// The colours that all views of a browser share.
class Colors : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    ColorMap map() const { return map_; }
    void setMap(ColorMap map);
    /// The scale for what is painted on `palette`'s base.
    ColorScale on(const QPalette& palette) const;

  Q_SIGNALS:
    void changed();

  private:
    ColorMap map_ = ColorMap::Fire;
};

/// The colour scale with the values at its ends and in its middle. Empty until it is given a range.
/// A double click asks for an own range.
class ColorLegend : public QWidget {
    Q_OBJECT
  public:
    /// `colors` must outlive the legend.
    explicit ColorLegend(const Colors& colors, QWidget* parent = nullptr);

    void setRange(std::optional<ScaleRange> range);
    QSize sizeHint() const override;

  Q_SIGNALS:
    void rangeWanted();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

  private:
    static QStringList textsAt(const ScaleRange& range, double share);

    const Colors& colors_;
    std::optional<ScaleRange> range_;
};

/// Of time that is waiting, where lines and bars have colours of their own.
QColor waitColor(bool dark);

/// The colour of the folder of this number, for what is painted on the palette's base. Folders after the
/// first ones, which are told apart, are all grey.
QColor folderColor(int number, const QPalette& palette);
/// How many are told apart.
inline constexpr int kColoredFolders = 8;

/// Says which colour is which folder, as far as there is room.
class FolderLegend : public QWidget {
  public:
    explicit FolderLegend(QWidget* parent = nullptr);

    void setFolders(const QStringList& folders);
    QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QStringList folders_;
};

}  // namespace holos::gui
