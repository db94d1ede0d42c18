// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QSplitter>
#include <QTimer>
#include <QWidget>
#include <atomic>
#include <memory>

#include "gui/models/timeline/timeline_lines.h"
#include "gui/models/timeline/timeline_picture.h"
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
    /// When threads are in the calls that are shown, where these are not all. Null while it is not known.
    TimesInPartPtr timesInPart() const { return part_ ? part_->times() : nullptr; }
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
    /// The levels of detail, the course of the run, or the times of the calls that are shown are there.
    void prepared();
    void told(const QString& message);
    /// What was on the call stack where somebody clicked, from the outermost on.
    void stackRead(trace::LocationId location, trace::Ticks time, std::vector<trace::StackBar> stack);

  private:
    void tell(const QString& message);
    void traceOpened();
    void openCourse();
    void readPart(const CallsInPart& calls);
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
    std::unique_ptr<TimesInPartReader> part_;  ///< null: all calls are shown
    ShownLocations shown_;
    QTimer again_;  ///< several changes make one reading
    bool busy_ = false;
    bool wantsCourse_ = false;
    std::optional<double> making_;    ///< the part of the levels that is made
    std::optional<double> counted_;   ///< the part of the run whose calls are added up
    std::optional<double> analyzed_;  ///< the part of the course that is made
    QString message_;
    std::shared_ptr<std::atomic<bool>> stackStopped_;  ///< of the stack that is being read
    bool readingStack_ = false;
};

class TimelineTrack;

/// A trace and, on request, another one below it on the same scale of time, from the start of each run on,
/// with the same lines and colours.
class TimelineTracks : public QSplitter {
    Q_OBJECT
  public:
    explicit TimelineTracks(QWidget* parent = nullptr);

    TimelineTrack* first() const { return first_; }
    /// Null where there is one only.
    TimelineTrack* other() const { return other_; }
    /// Another trace below; an empty name: none.
    void compareWith(const QString& archive);
    bool isBusy() const;
    /// The other trace is looked at so many seconds later.
    void setShift(double seconds);

    void setGrouping(TimelineGrouping grouping);
    void setColors(TimelineColors colors, const std::string& metric = {});
    /// `isWanted`: traces whose course is not known are analyzed for it.
    void setMarks(TimelineMarks marks, bool isWanted);

  Q_SIGNALS:
    /// The other trace is there.
    void otherOpened();
    /// What the other trace has to say.
    void told(const QString& message);

  private:
    void link();
    void alignOther();
    /// Shows the same time in another track.
    void follow(TimelineTrack* leader, TimelineTrack* follower);

    TimelineTrack* first_;
    TimelineTrack* other_ = nullptr;
    TimelineGrouping grouping_ = TimelineGrouping::Threads;
    TimelineColors colors_ = TimelineColors::Calls;
    std::string metric_;
    TimelineMarks marks_;
    double shift_ = 0.0;      ///< seconds
    bool areWanted_ = false;  ///< traces are analyzed for them
    bool linking_ = false;    ///< one of two follows the other
};

}  // namespace holos::gui
