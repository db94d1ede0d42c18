// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QTimer>
#include <QWidget>

#include "analyzer/trace/curves.h"
#include "gui/models/quantity.h"
#include "gui/views/timeline/timeline_view.h"

namespace holos::gui {

/// Counters and sensors of one location below the timeline, a curve each on the same scale of time: what
/// accumulates by its growth per second, states by their values. Read in the background.
class TimelineCurves : public QWidget {
    Q_OBJECT
  public:
    explicit TimelineCurves(QWidget* parent = nullptr);

    void setTrace(const QString& archive, DefinitionsPtr definitions);
    /// Null: none.
    void setLocation(std::optional<trace::LocationId> location);
    void setWindow(TimeRange window);
    void setSide(int pixels);
    bool isBusy() const { return busy_ || again_.isActive(); }
    /// `PAPI_TOT_CYC: 2.1e9/s`, with the name of the location.
    QString textAt(const QPoint& place) const;
    int count() const { return static_cast<int>(curves_.curves.size()); }
    QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void read();
    void take(trace::Curves curves, TimeRange window);
    QRect stripOf(int curve) const;
    void paintCurve(QPainter& painter, int curve) const;
    QString unitOf(const trace::Curve& curve) const;

    QString archive_;
    DefinitionsPtr definitions_;
    std::optional<trace::LocationId> location_;
    TimeRange window_;  ///< that is wanted
    TimeRange shown_;   ///< of the curves
    trace::Curves curves_;
    int side_ = 0;
    bool busy_ = false;
    QTimer again_;
};

}  // namespace holos::gui
