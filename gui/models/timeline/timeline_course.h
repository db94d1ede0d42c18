// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/resource.h>

#include <QCoreApplication>
#include <QObject>
#include <QThreadPool>
#include <algorithm>
#include <atomic>
#include <memory>

#include "analyzer/timeline/course.h"
#include "gui/models/timeline/timeline.h"

namespace holos::gui {

/// From now on the calling thread, and those that it starts, let every other thread go first that wants a
/// processor: they hardly slow down what a person waits for. There is no way back.
inline void becomeLastInLine() {
    constexpr int kNiceness = 10;  // as `nice` has it; on Linux, of the thread alone
    setpriority(PRIO_PROCESS, 0, std::max(kNiceness, getpriority(PRIO_PROCESS, 0)));
}

/// For work that calls `becomeLastInLine` first. Nobody waits for its threads but the end of the application.
inline QThreadPool& lastInLine() {
    static QThreadPool pool;
    static const bool waits = (qAddPostRoutine([] { pool.waitForDone(); }), true);
    (void)waits;
    return pool;
}

using CoursePtr = std::shared_ptr<const analyzer::timeline::Course>;

/// The course of a trace's run (`analyzer/timeline/course.h`): the one beside it, or else one that an
/// analysis makes now, and that is kept beside it where files can be written there. The analysis lets every
/// other thread go first, so that what is in sight is read and drawn meanwhile. Signals come in the owner's
/// thread. Destruction tells the analysis to stop, and does not wait for it.
class TimelineCourse : public QObject {
    Q_OBJECT
  public:
    TimelineCourse(QString archive, DefinitionsPtr definitions, QObject* parent = nullptr);
    ~TimelineCourse() override;

    /// Opens it. Where there is none, a short trace is analyzed, a long one as soon as it is wanted.
    void start(bool isWanted);
    /// Null before `ready`.
    const CoursePtr& course() const { return course_; }
    bool isBusy() const { return busy_; }

  Q_SIGNALS:
    /// How much of it is made.
    void progress(double part);
    void ready();
    void failed(const QString& message);

  private:
    struct Search;

    QString archive_;
    DefinitionsPtr definitions_;
    std::shared_ptr<std::atomic<bool>> stopped_;
    CoursePtr course_;
    bool busy_ = false;
    bool wanted_ = false;  ///< somebody asked for it, also of a long trace
    bool made_ = false;    ///< or tried to
};

}  // namespace holos::gui
