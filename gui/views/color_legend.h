// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QWidget>
#include <optional>

#include "gui/models/tree_model.h"

namespace holos::gui {

/// The colour scale with the values at its ends and in its middle. Empty until it is given a range.
class ColorLegend : public QWidget {
  public:
    explicit ColorLegend(QWidget* parent = nullptr);

    void setRange(std::optional<TreeModel::Range> range);
    QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    static QString textAt(const TreeModel::Range& range, double share);

    std::optional<TreeModel::Range> range_;
};

}  // namespace holos::gui
