// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QTimer>
#include <QWidget>

#include "analyzer/trace/curves.h"
#include "gui/models/quantity.h"
#include "gui/models/timeline/times_in_part.h"
#include "gui/views/timeline/timeline_view.h"

class QScrollBar;

namespace holos::gui {

/// Counters and sensors of one location below the timeline, a curve each on the same scale of time: what
/// accumulates by its growth per second, states by their values. Of many, some are in sight; the others can
/// be scrolled to. Read in the background.
class TimelineCurves : public QWidget {
    Q_OBJECT
  public:
    explicit TimelineCurves(QWidget* parent = nullptr);

    void setTrace(const QString& archive, DefinitionsPtr definitions);
    /// Null: none.
    void setLocation(std::optional<trace::LocationId> location);
    void setWindow(TimeRange window);
    /// Only some calls are shown: in these times, outside of which curves have gaps. Null, or not exact: they
    /// are not known, which the curves say.
    void setPart(bool isOfPart, TimesInPartPtr times);
    /// How wide names and curves are, so that these stand below the same time of the lines.
    void setWidths(int side, int time);
    bool isBusy() const { return busy_ || again_.isActive(); }
    /// `PAPI_TOT_CYC: 2.1e9/s`, with the name of the location.
    QString textAt(const QPoint& place) const;
    int count() const { return static_cast<int>(curves_.curves.size()); }
    /// The first one that is in sight.
    int first() const;
    QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

  private:
    void read();
    bool isOfAllPaths() const { return isOfPart_ && !part_; }
    void take(trace::Curves curves, TimeRange window);
    void updateScrolling();
    void describe();
    QString nameOf(const trace::Curve& curve) const;
    QRect stripOf(int curve) const;
    void paintCurve(QPainter& painter, int curve) const;
    QString text(double value, const trace::Curve& curve) const;

    QString archive_;
    DefinitionsPtr definitions_;
    std::optional<trace::LocationId> location_;
    TimeRange window_;  ///< that is wanted
    TimeRange shown_;   ///< of the curves
    trace::Curves curves_;
    bool isOfPart_ = false;  ///< only some calls are to be shown
    TimesInPartPtr part_;    ///< exact
    QScrollBar* bar_;
    int side_ = 0;
    int timeWidth_ = 1;
    bool busy_ = false;
    QTimer again_;
};

}  // namespace holos::gui
