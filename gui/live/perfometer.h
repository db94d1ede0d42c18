// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QPolygonF>
#include <QWidget>
#include <string>
#include <vector>

#include "base/chosen.h"
#include "gui/live/living_run.h"

namespace holos::gui {

/// A metric of a running program over time, one line for each process. Those that are chosen have colours,
/// the others are pale.
class Perfometer : public QWidget {
  public:
    explicit Perfometer(QWidget* parent = nullptr);

    void clear();
    void add(const LiveLook& look);
    void setMetric(std::size_t metric);
    /// By the names of their rows.
    void setChosen(Chosen<std::string> rows);

    QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void measure();
    void describe();
    QString written(double value) const;
    QPolygonF points(const QRectF& area, const std::vector<double>& values) const;
    /// Places in `rows_` of those that have colours.
    std::vector<std::size_t> chosenRows() const;
    void paintAll(QPainter& painter, const QRectF& area) const;
    void paintLegend(QPainter& painter, double left) const;

    watch::History history_;
    std::vector<std::string> rows_;
    std::vector<watch::Metric> metrics_;
    std::size_t metric_ = watch::kMetricLost;
    Chosen<std::string> chosen_ = kAll;
    std::vector<std::vector<double>> lines_;  ///< of the metric, by row
    double largest_ = 0.0;
};

}  // namespace holos::gui
