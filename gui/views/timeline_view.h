// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QAbstractScrollArea>
#include <optional>

#include "base/short_name.h"
#include "gui/models/quantity.h"
#include "gui/models/timeline.h"
#include "gui/views/timeline_rows.h"

namespace holos::gui {

/// A colour for a region: its activity gives the hue, its name the shade.
QColor colorOfRegion(const trace::Region& region, bool dark);
/// The colour that stands for an activity in a legend.
QColor colorOfActivity(Activity activity, bool dark);

/// Locations × time: what each location did, calls within calls narrower, messages as lines. While another
/// part of the run is being read, what is known of it is shown.
///
/// Dragging, Ctrl and the wheel, `+`, `−` zoom; the arrow keys move; Home shows the whole run.
class TimelineView : public QAbstractScrollArea {
    Q_OBJECT
  public:
    explicit TimelineView(QWidget* parent = nullptr);

    void setTrace(DefinitionsPtr definitions);
    void setPicture(TimelinePtr picture);
    const TimelinePtr& picture() const { return picture_; }
    /// The part of the run that is seen.
    void setWindow(trace::Ticks from, trace::Ticks to);
    trace::Ticks from() const { return from_; }
    trace::Ticks to() const { return to_; }

    struct Mark {
        trace::LocationId location;
        trace::Ticks begin = 0;
        trace::Ticks end = 0;
        std::optional<trace::LocationId> awaited;
    };
    /// Frames a wait.
    void setMark(std::optional<Mark> mark);
    void setSelected(std::optional<trace::LocationId> location);
    /// Of durations.
    void setDigits(Digits digits) { digits_ = digits; }
    /// Writes long names of functions whole, or as they are read best.
    void setWholeNames(bool whole);

    /// Around a point in time; factors below 1 show less of the run.
    void zoom(double factor, trace::Ticks around);
    void showAll();

    /// Where a time and a location are on the viewport; how wide the part for time is.
    double xOf(trace::Ticks time) const;
    std::optional<int> rowOf(trace::LocationId location) const;
    QRect rowRect(int row) const;
    int timeWidth() const;
    /// What the tool tip says.
    QString textAt(const QPoint& place) const;

  Q_SIGNALS:
    /// Another part of the run came into sight.
    void windowChanged();
    void locationChosen(trace::LocationId location);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    /// How wide a row's name is; asked once for each row of a picture, because it takes long to find out.
    virtual int widthOf(const QString& name) const;

  private:
    void updateLabels();
    void describe();
    const QColor& colorOf(trace::RegionId id) const;
    bool isDark() const;
    int rowHeight() const;
    int labelWidth() const { return labelWidth_; }
    int axisHeight() const;
    trace::Ticks timeAt(double x) const;
    const trace::Region& region(trace::RegionId id) const { return (*definitions_)[id]; }
    QString nameOf(trace::RegionId id) const;
    std::optional<int> rowAt(int y) const;
    void updateScrolling();
    void changeWindow(double from, double to);
    void move(double parts);
    void paintAxis(QPainter& painter) const;
    void paintRow(QPainter& painter, int row) const;
    void paintBins(QPainter& painter, const trace::Excerpt& excerpt, const QRect& place) const;
    void paintSpans(QPainter& painter, int row, const QRect& place) const;
    void paintMessages(QPainter& painter) const;
    void paintMark(QPainter& painter) const;
    void paintLabel(QPainter& painter, int row) const;

    DefinitionsPtr definitions_;
    TimelinePtr picture_;
    TimelineRows rows_;  ///< of the picture
    int labelWidth_ = 0;
    mutable std::map<std::size_t, QColor> colors_;  ///< by region
    trace::Ticks from_ = 0;
    trace::Ticks to_ = 1;
    std::optional<Mark> mark_;
    std::optional<trace::LocationId> selected_;
    std::optional<int> dragFrom_, dragTo_;
    Digits digits_;
    bool wholeNames_ = false;
    ShortNames shortNames_{{}};  ///< of the trace's regions
};

}  // namespace holos::gui
