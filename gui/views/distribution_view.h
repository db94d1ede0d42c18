// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QWidget>
#include <optional>

#include "algebra/model/statistics.h"
#include "gui/models/system_model.h"

namespace holos::gui {

class Colors;

/// A box plot above a histogram of the values of all locations, with their numbers. The selected location's
/// value is marked. A click on a bar chooses one of its locations, the next click the next one; the arrow
/// keys go to the location with the next larger or smaller value.
class DistributionView : public QWidget {
    Q_OBJECT
  public:
    /// Both must outlive the view.
    DistributionView(const SystemModel& system, const Colors& colors, QWidget* parent = nullptr);

    /// After the system model's values, or the selected location, have changed.
    void update(std::optional<algebra::LocationId> selected);
    /// The bar of a bin of the histogram.
    QRectF barRect(std::size_t bin) const;
    std::size_t bins() const { return bins_.size(); }

  Q_SIGNALS:
    void locationChosen(algebra::LocationId location);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

  private:
    QRectF textPlace() const;
    double tabStop() const;
    QRectF boxPlace() const;
    QRectF binsPlace() const;
    std::optional<std::size_t> binAt(QPointF place) const;
    QString textOf(std::size_t bin) const;
    void chooseNext(std::size_t bin);
    void step(int by);
    void paintBox(QPainter& painter, const QRectF& place) const;
    void paintBins(QPainter& painter) const;
    double at(const QRectF& place, double value) const;
    QString numbers() const;
    QString description() const;

    const SystemModel& system_;
    const Colors& colors_;
    algebra::Statistics spread_;
    std::vector<std::size_t> bins_;
    Writing writing_;
    std::optional<algebra::LocationId> selected_;
    std::optional<double> marked_;  ///< the value of the selected location
};

}  // namespace holos::gui
