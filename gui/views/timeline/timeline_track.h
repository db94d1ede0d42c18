// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QTimer>
#include <QWidget>
#include <atomic>
#include <memory>

#include "gui/models/timeline/timeline_reader.h"
#include "gui/views/timeline/timeline_view.h"

namespace holos::gui {

class TimelineCurves;
class TimelineOverview;

/// The timeline of one trace below its overview. Archives are read in the background.
class TimelineTrack : public QWidget {
    Q_OBJECT
  public:
    explicit TimelineTrack(QWidget* parent = nullptr);
    ~TimelineTrack() override;

    void openTrace(const QString& archive);
    QString archive() const { return reader_ ? reader_->archive() : QString(); }
    TimelineView* view() const { return view_; }
    TimelineOverview* overview() const { return overview_; }
    TimelineCurves* curves() const { return curves_; }
    /// Has lines of these locations only (empty: all), and other calls pale.
    void showOnly(ShownLocations shown, CallsInPart calls);
    const ShownLocations& shown() const { return shown_; }
    /// Marks the location, and shows its counters below.
    void setSelected(std::optional<trace::LocationId> location);
    /// Null until the archive is open.
    DefinitionsPtr definitions() const { return reader_ ? reader_->definitions() : nullptr; }
    LevelsPtr levels() const { return reader_ ? reader_->levels() : nullptr; }
    /// Null while it is not known.
    CoursePtr course() const { return course_ ? course_->course() : nullptr; }
    /// Has traces analyzed whose run has no course, this one and those that are opened later.
    void wantCourse();
    /// Until what is in sight has been read: all but the course of the run.
    bool isReading() const;
    /// A course of the run is being made.
    bool isAnalyzing() const { return course_ && course_->isBusy(); }
    bool isBusy() const { return isReading() || isAnalyzing(); }
    /// What is shown, or what goes on.
    const QString& message() const { return message_; }
    /// As soon as nothing else changes.
    void readLater();

  Q_SIGNALS:
    void opened();
    /// The levels of detail, or the course of the run, are there.
    void prepared();
    void told(const QString& message);
    /// What was on the call stack where somebody clicked, from the outermost on.
    void stackRead(trace::LocationId location, trace::Ticks time, std::vector<trace::StackBar> stack);

  private:
    void tell(const QString& message);
    void traceOpened();
    void openCourse();
    void readNow();
    void readStackAt(trace::LocationId location, trace::Ticks time, std::uint32_t deepest);
    void pictureReady(const TimelinePtr& picture);
    QString textOf(const TimelinePicture& picture) const;
    void followWindow();

    TimelineOverview* overview_;
    TimelineView* view_;
    TimelineCurves* curves_;
    std::unique_ptr<TimelineReader> reader_;
    std::unique_ptr<TimelineLevels> levels_;
    std::unique_ptr<TimelineCourse> course_;
    ShownLocations shown_;
    QTimer again_;  ///< several changes make one reading
    bool busy_ = false;
    bool wantsCourse_ = false;
    std::optional<double> making_;    ///< the part of the levels that is made
    std::optional<double> analyzed_;  ///< the part of the course that is made
    QString message_;
    std::shared_ptr<std::atomic<bool>> stackStopped_;  ///< of the stack that is being read
    bool readingStack_ = false;
};

}  // namespace holos::gui
