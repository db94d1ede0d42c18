// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gui/views/details/roofline_view.h"
#include "gui/views/parts/detail_view.h"

class QLineEdit;

namespace holos::gui {

class ElidedLabel;

/// Call paths under the roofs of a node, and fields for what a node can do.
class RooflinePane : public DetailView {
    Q_OBJECT
  public:
    /// The experiment must outlive the pane.
    explicit RooflinePane(const algebra::Experiment& experiment, QWidget* parent = nullptr);

    void setRoofs(const algebra::Roofs& roofs);
    void follow(const Focus& focus) override;
    /// Call path, seconds, operations per byte, operations per second.
    QString asCsv() const override;

    RooflineView* view() const { return view_; }
    QLineEdit* operations() const { return operations_; }
    QLineEdit* bandwidth() const { return bandwidth_; }
    QString message() const;

  private:
    void readRoofs();
    void describe();
    QString textOf(const algebra::RooflinePoint& point) const;

    const algebra::Experiment& experiment_;
    RooflineView* view_;
    QLineEdit* operations_;
    QLineEdit* bandwidth_;
    ElidedLabel* text_;
    Digits digits_;
};

}  // namespace holos::gui
