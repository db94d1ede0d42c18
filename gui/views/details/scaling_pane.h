// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gui/models/growth_model.h"
#include "gui/views/parts/detail_view.h"
#include "gui/views/parts/logarithmic_plot.h"

namespace holos::gui {

/// A curve of growth on logarithmic axes: dots are what was measured, the line is the law, which is broken
/// beyond the largest size, and the bar at its end is between which values the prediction lies.
class ScalingView : public LogarithmicPlot {
    Q_OBJECT
  public:
    explicit ScalingView(QWidget* parent = nullptr);

    /// One curve or none.
    void setCurves(plot::Curves curves);
    const plot::Curves& curves() const { return curves_; }
    /// Where a measured point is painted, by its number.
    QPointF placeOf(std::size_t point) const;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

  private:
    using LogarithmicPlot::placeOf;
    void paintLaw(QPainter& painter) const;
    void paintBounds(QPainter& painter) const;
    void paintMeasured(QPainter& painter) const;

    plot::Curves curves_;
};

}  // namespace holos::gui

class QLineEdit;
class QSortFilterProxyModel;
class QTableView;

namespace holos::gui {

class ElidedLabel;

/// How the selected metric grows with the size of the open experiments: a table of call paths, and the curve
/// of the selected one, or of the whole program.
class ScalingPane : public DetailView {
    Q_OBJECT
  public:
    /// The experiment must outlive the pane.
    explicit ScalingPane(const algebra::Experiment& experiment, QWidget* parent = nullptr);

    /// The browser's own experiment first.
    void setExperiments(std::vector<NamedExperiment> experiments);
    void follow(const Focus& focus) override;
    bool isBusy() const override { return finder_.isBusy(); }
    QString asCsv() const override;

    const GrowthModel& model() const { return model_; }
    QTableView* table() const { return table_; }
    ScalingView* view() const { return view_; }
    /// The size to predict; empty: four times the largest one.
    QLineEdit* size() const { return size_; }
    QString message() const;

  private:
    void makeTable();
    void ask();
    void take(const Growth& growth);
    void chooseRow(const QModelIndex& row);
    void selectRow();
    void showCurve();
    void describe();
    const algebra::scaling::Growing* shown() const;
    QString subject() const;

    const algebra::Experiment& experiment_;
    GrowthFinder finder_;
    GrowthModel model_;
    QSortFilterProxyModel* sorted_;
    QTableView* table_;
    ScalingView* view_;
    QLineEdit* size_;
    ElidedLabel* text_;
    Focus focus_;
    bool isFollowed_ = false;  ///< it has been seen
    bool selecting_ = false;   ///< the row is chosen by the selection, not by a click
};

}  // namespace holos::gui
