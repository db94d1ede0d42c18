// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QWidget>
#include <optional>

#include "algebra/model/statistics.h"
#include "gui/models/system_model.h"

namespace holos::gui {

class Colors;

/// A box plot above a histogram of the values of all locations, with their numbers. The selected location's
/// value is marked.
class DistributionView : public QWidget {
  public:
    /// Both must outlive the view.
    DistributionView(const SystemModel& system, const Colors& colors, QWidget* parent = nullptr);

    /// After the system model's values, or the selected location, have changed.
    void update(std::optional<algebra::LocationId> selected);

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void paintBox(QPainter& painter, const QRectF& place) const;
    void paintBins(QPainter& painter, const QRectF& area) const;
    double at(const QRectF& place, double value) const;
    QString numbers() const;

    const SystemModel& system_;
    const Colors& colors_;
    algebra::Statistics spread_;
    std::vector<std::size_t> bins_;
    QuantityFormat format_;
    std::optional<double> marked_;
};

}  // namespace holos::gui
