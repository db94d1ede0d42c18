// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QWidget>
#include <optional>

#include "gui/models/tree_model.h"

namespace holos::gui {

class Colors;

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

}  // namespace holos::gui
