// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QSplitter>

#include "gui/models/timeline/timeline_lines.h"
#include "gui/models/timeline/timeline_picture.h"

namespace holos::gui {

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
