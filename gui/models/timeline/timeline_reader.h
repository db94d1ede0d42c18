// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <QThreadPool>
#include <atomic>
#include <memory>

#include "gui/models/timeline/timeline_content.h"
#include "gui/models/timeline/timeline_counter.h"
#include "gui/models/timeline/timeline_marks.h"
#include "gui/models/timeline/times_in_part.h"

namespace holos::gui {

/// Reads an archive on demand, in a thread of its own; a new wish ends what is being read. With levels of
/// detail a picture comes at once, and the calls that it can show follow; without them only those of single
/// locations are read. Signals come in the owner's thread. Destruction waits for the thread, which stops at
/// its next event.
///
/// Thread safety: one thread; its own has the archive for itself.
class TimelineReader : public QObject {
    Q_OBJECT
  public:
    explicit TimelineReader(QString archive, QObject* parent = nullptr);
    ~TimelineReader() override;

    const QString& archive() const { return archive_; }
    /// Null before `opened`.
    const DefinitionsPtr& definitions() const { return definitions_; }
    const LevelsPtr& levels() const { return levels_; }

    void open();
    /// From now on pictures are made of them.
    void setLevels(LevelsPtr levels, MessagesPtr messages);
    /// From now on it is drawn over pictures.
    void setCourse(CoursePtr course) { course_ = std::move(course); }
    const CoursePtr& course() const { return course_; }
    /// From now on heat maps are of these times alone; null: of all.
    void setPart(TimesInPartPtr part) { part_ = std::move(part); }
    /// After `opened`.
    void read(const TimelineQuestion& question);

  Q_SIGNALS:
    void opened();
    /// Twice for a picture whose first one is coarse.
    void ready(TimelinePtr picture);
    void failed(const QString& message);

  private:
    struct Work;
    /// The counter that was asked for last; of the reader's thread.
    using CounterPlace = std::shared_ptr<std::shared_ptr<const TimelineCounter>>;
    /// The largest share of the cost that was asked for last; of the same thread.
    struct LargestCost {
        CoursePtr course;
        std::string name;
        double largest = 0;
    };
    using CostPlace = std::shared_ptr<LargestCost>;
    void tell(const std::shared_ptr<TimelinePicture>& picture,
              const std::shared_ptr<std::atomic<bool>>& stopped);

    QString archive_;
    QThreadPool pool_;
    DefinitionsPtr definitions_;
    LevelsPtr levels_;
    MessagesPtr messages_;  ///< of the levels
    CoursePtr course_;
    TimesInPartPtr part_;
    CounterPlace counter_ = std::make_shared<std::shared_ptr<const TimelineCounter>>();
    CostPlace cost_ = std::make_shared<LargestCost>();
    std::shared_ptr<std::atomic<bool>> stopped_;  ///< of what is being read
};

}  // namespace holos::gui
