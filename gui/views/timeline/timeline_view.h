// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QAbstractScrollArea>
#include <QHash>
#include <QImage>
#include <optional>
#include <utility>

#include "base/function_name.h"
#include "gui/models/quantity.h"
#include "gui/models/timeline/timeline_picture.h"
#include "gui/views/timeline/timeline_layout.h"

namespace holos::gui {

class TimelineTexts;

/// A part of the run.
struct TimeRange {
    trace::Ticks from = 0;
    trace::Ticks to = 0;
    friend bool operator==(const TimeRange&, const TimeRange&) = default;
};

/// Somebody who waits, and for whom.
struct TimelineWait {
    trace::LocationId location;
    trace::Ticks begin = 0;
    trace::Ticks end = 0;
    std::optional<trace::LocationId> awaited;
};

/// A note of a timeline, where it is in this trace.
struct PlacedNote {
    trace::LocationId location;
    trace::Ticks time = 0;
    QString text;
};

/// Locations × time: what each location did, calls within calls narrower, messages as lines. While another
/// part of the run is being read, what is known of it is shown.
///
/// Dragging, Ctrl and the wheel, `+`, `−` zoom; the arrow keys move; Home shows the whole run. With Shift,
/// dragging selects a range, and the wheel makes lines higher.
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
    /// Changes the window, within the run, and says so by `windowChanged`.
    void changeWindow(double from, double to);

    /// Has lines of these locations only (empty: all); other calls are pale.
    void showOnly(ShownLocations shown, CallsInPart calls);
    bool hasCallsOutsideOfPart() const { return !inPart_.isEverything(); }
    /// What is drawn of all call paths, though only some are to be shown, in words; empty: nothing.
    QString shownOfAllPaths() const;
    void setGrouping(TimelineGrouping grouping);
    /// `metric`: its unique name, where it is one of the course of the run.
    void setColors(TimelineColors colors, const std::string& metric = {});
    /// What of the course of the run is drawn.
    void setMarks(TimelineMarks marks);
    const TimelineMarks& marks() const { return marks_; }
    /// Opens the line of a location to its stack, or closes it.
    void toggleStack(trace::LocationId location);
    /// Has the line of a location at the top, whatever is scrolled, or no more.
    void togglePin(trace::LocationId location);
    void setPinned(PinnedLocations pinned);
    /// The wait at a time, for whom, and what that one did meanwhile; empty: none is known.
    QString waitText(trace::LocationId location, trace::Ticks time) const;
    /// Names that are displayed, by unique names.
    void setMetricNames(QHash<QString, QString> names) { metricNames_ = std::move(names); }
    const TimelineLayout& layout() const { return layout_; }
    /// What has to be read for what is in sight.
    TimelineQuestion question() const;

    /// A range that is measured, and may be looked at alone.
    void setRange(std::optional<TimeRange> range);
    const std::optional<TimeRange>& range() const { return range_; }

    /// Frames a wait, in lines that can be read.
    void setFramed(std::optional<TimelineWait> wait);
    /// Shows waits, with arrows from those who are waited for.
    void setWaits(std::vector<TimelineWait> waits);
    void setSelected(std::optional<trace::LocationId> location);
    /// Flags at their moments, with their texts.
    void setNotes(std::vector<PlacedNote> notes);
    /// Scrolls to its line where that is not in sight.
    void reveal(trace::LocationId location);
    /// Of durations.
    void setDigits(Digits digits) { digits_ = digits; }
    QString nameOf(trace::RegionId id) const;
    /// Writes long names of functions whole, or as they are read best.
    void setWholeNames(bool whole);

    /// Around a point in time; factors below 1 show less of the run.
    void zoom(double factor, trace::Ticks around);
    void showAll();

    /// Where a time and a location are on the viewport; how wide the part for time is.
    double xOf(trace::Ticks time) const;
    trace::Ticks timeAt(double x) const;
    std::optional<int> lineOf(trace::LocationId location) const;
    QRect lineRect(int line) const;
    int timeWidth() const;
    int labelWidth() const { return labelWidth_; }
    /// The line of the group that the first lines in sight belong to, while it is above them itself: its name
    /// stays in sight.
    std::optional<int> pinnedGroup() const;
    QRect pinnedRect() const;
    /// What the tool tip says.
    QString textAt(const QPoint& place) const;

  Q_SIGNALS:
    /// Another part of the run, or other lines, came into sight.
    void windowChanged();
    void locationChosen(trace::LocationId location);
    /// A moment of a location; nothing that lies deeper on its stack.
    void stackChosen(trace::LocationId location, trace::Ticks time, std::uint32_t deepest);
    /// All views are to show only calls of this region, or only what this location did.
    void regionWanted(trace::RegionId region);
    void onlyLocationWanted(trace::LocationId location);
    void lengthsWanted(trace::RegionId region);
    /// The iteration of the program's loop that this moment lies in is to be selected.
    void iterationWanted(trace::Ticks time);
    /// A note is to be written here, or the one of this number is to be changed or removed.
    void noteWanted(trace::LocationId location, trace::Ticks time);
    void noteChangeWanted(int note);
    void noteRemovalWanted(int note);
    /// The next call of it is looked for.
    void nextCallWanted(const QString& region);
    void rangeChanged();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    /// How wide a line's name is; asked once for each of the longest names, because it takes long to find
    /// out.
    virtual int widthOf(const QString& name) const;

  private:
    /// Pixels for the arrow in front of a line's name that opens it; lines of a group are indented as far.
    static constexpr int kArrow = 14;

    struct Drag {
        int from = 0;
        int to = 0;
        bool isRange = false;
    };
    void linesChanged();
    void updateLabels();
    void describe();
    const QColor& colorOf(trace::RegionId id) const;
    QColor paleColor(trace::RegionId id) const;
    QRgb colorOfBin(const TimelineRow& row, std::size_t bin) const;
    void drawImage();
    bool isDark() const;
    int axisHeight() const;
    /// Where lines that are scrolled begin.
    int headHeight() const { return axisHeight() + layout_.frozenHeight(); }
    const trace::Region& region(trace::RegionId id) const { return (*definitions_)[id]; }
    std::optional<int> lineAt(int y) const;
    /// What was read of a line; null: nothing.
    const TimelineRow* contentOf(int line) const;
    void updateScrolling();
    void move(double parts);
    void clickAt(const QPoint& place);
    bool deepenStacks(const TimelinePicture& picture);
    std::optional<trace::RegionId> regionAt(int number, trace::Ticks time) const;
    TimelineTexts texts() const;
    std::optional<int> noteAt(const QPoint& place) const;
    QRectF flagRect(const PlacedNote& note) const;
    void paintNotes(QPainter& painter) const;
    void paintPinnedGroup(QPainter& painter) const;
    int firstInSight() const;
    int endInSight() const;
    void paintAxis(QPainter& painter) const;
    void paintLine(QPainter& painter, int line) const;
    void paintImage(QPainter& painter) const;
    void paintSpans(QPainter& painter, int line, const QRect& place) const;
    void paintBox(QPainter& painter, const QRectF& box, const QColor& color, const QString& name) const;
    void paintStack(QPainter& painter, int line) const;
    void paintShortages(QPainter& painter, int line) const;
    void paintOperationGrounds(QPainter& painter) const;
    QColor operationColorHere() const;
    void paintMessages(QPainter& painter) const;
    void paintWaits(QPainter& painter) const;
    void paintWait(QPainter& painter, const TimelineWait& wait, bool hasArrow) const;
    void paintPath(QPainter& painter) const;
    void paintOperations(QPainter& painter) const;
    void paintParts(QPainter& painter) const;
    std::optional<std::pair<int, int>> linesOf(const OperationBundle& bundle) const;
    bool belongs(const OperationBundle& bundle, const std::pair<int, int>& lines) const;
    void paintLabels(QPainter& painter) const;
    bool isInSight(int line, int page) const;
    void paintFrame(QPainter& painter) const;
    void paintRange(QPainter& painter) const;
    void paintBand(QPainter& painter, double left, double right) const;
    void paintLabel(QPainter& painter, int number) const;

    DefinitionsPtr definitions_;
    TimelineLayout layout_;
    TimelinePtr picture_;
    CallsInPart inPart_;
    TimelineRows rows_;  ///< of the picture
    QImage image_;       ///< a line for each row of the picture, a pixel for each bin
    int labelWidth_ = 0;
    mutable std::vector<QColor> colors_;  ///< by region; invalid: not needed yet
    trace::Ticks from_ = 0;
    trace::Ticks to_ = 1;
    std::optional<TimelineWait> framed_;
    std::vector<TimelineWait> waits_;
    std::optional<TimeRange> range_;
    std::vector<PlacedNote> notes_;
    std::optional<trace::LocationId> selected_;
    std::optional<Drag> drag_;
    Digits digits_;
    bool wholeNames_ = false;
    TimelineColors heat_ = TimelineColors::Calls;
    std::string metric_;
    TimelineMarks marks_;
    QHash<QString, QString> metricNames_;
    ShortNames shortNames_{{}};  ///< of the trace's regions
};

}  // namespace holos::gui
