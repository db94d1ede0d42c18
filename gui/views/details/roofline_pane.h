// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "gui/views/parts/detail_view.h"
#include "gui/views/parts/logarithmic_plot.h"
#include "report/plot/roofline.h"

class QThread;

namespace holos::gui {

/// A point for each call path, as large as its time, on logarithmic axes below the roof of a node. A click,
/// or the arrow keys, choose a call path.
class RooflineView : public LogarithmicPlot {
    Q_OBJECT
  public:
    explicit RooflineView(QWidget* parent = nullptr);

    void setRoofline(algebra::Roofline roofline);
    void setRoofs(const algebra::Roofs& roofs);
    void setSelected(std::optional<algebra::CallPathId> path);

    const algebra::Roofline& roofline() const { return roofline_; }
    const algebra::Roofs& roofs() const { return roofs_; }
    /// The point that is selected.
    const algebra::RooflinePoint* selected() const;
    /// Where a point is painted, by its number.
    QPointF placeOf(std::size_t point) const;
    double radiusOf(std::size_t point) const;

  Q_SIGNALS:
    void pathChosen(algebra::CallPathId path);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    using LogarithmicPlot::placeOf;
    void findAxes();
    std::optional<std::size_t> pointAt(QPointF place) const;
    std::optional<std::size_t> selectedPoint() const;
    void paintRoof(QPainter& painter) const;
    void paintPoints(QPainter& painter) const;

    algebra::Roofline roofline_;
    algebra::Roofs roofs_;
    plot::RooflineAxes axes_;
    std::optional<algebra::CallPathId> path_;
};

}  // namespace holos::gui

class QLineEdit;

namespace holos::gui {

class ElidedLabel;

/// Call paths under the roofs of a node, and fields for what a node can do.
class RooflinePane : public DetailView {
    Q_OBJECT
  public:
    /// The experiment must outlive the pane.
    explicit RooflinePane(const algebra::Experiment& experiment, QWidget* parent = nullptr);
    /// Waits for values that are being read.
    ~RooflinePane() override;

    bool isBusy() const override { return isBusy_; }
    void setRoofs(const algebra::Roofs& roofs);
    void follow(const Focus& focus) override;
    /// Call path, seconds, operations per byte, operations per second.
    QString asCsv() const override;

    RooflineView* view() const { return view_; }
    QLineEdit* operations() const { return operations_; }
    QLineEdit* bandwidth() const { return bandwidth_; }
    QString message() const;

  private:
    void find();
    void take(algebra::Roofline roofline);
    void readRoofs();
    void describe();
    QString textOf(const algebra::RooflinePoint& point) const;

    const algebra::Experiment& experiment_;
    RooflineView* view_;
    QLineEdit* operations_;
    QLineEdit* bandwidth_;
    ElidedLabel* text_;
    Digits digits_;
    std::unique_ptr<QThread> thread_;
    bool isSought_ = false;
    bool isBusy_ = false;
};

}  // namespace holos::gui
