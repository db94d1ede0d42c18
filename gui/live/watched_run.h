// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>

#include "gui/live/living_run.h"
#include "gui/models/value_cache.h"

namespace holos::gui {

/// An analysis of what a run has recorded so far.
struct Snapshot {
    ExperimentPtr experiment;
    ExperimentPtr change;     ///< since the one before; null: this is the first one
    QString time;             ///< of the newest event, in words
    bool isWholeRun = false;  ///< nothing comes after it
};

/// Of a recording that goes on, which is not touched; or of the trace of a run that has ended. Takes one
/// thread. Throws `holos::Error`, also soon after it is not wanted any more.
Snapshot takeSnapshot(const std::filesystem::path& folder, const std::atomic<bool>& isWanted);

/// Takes one snapshot after the other, in a thread of its own: between two it rests nine times as long as one
/// takes, and some seconds at least, so that they cost no more than a tenth of a processor.
class RepeatedAnalysis : public QObject {
    Q_OBJECT
  public:
    using Take = std::function<Snapshot()>;

    explicit RepeatedAnalysis(Take take, QObject* parent = nullptr);

    void start();
    void setPaused(bool paused);
    /// How long it rests after one that took so many milliseconds.
    static int restAfter(qint64 milliseconds);

  Q_SIGNALS:
    void taken(const Snapshot& snapshot);
    /// An analysis failed, and is tried again: at first, nothing may have been recorded.
    void failed(const QString& message);

  private:
    void takeOne();
    void show(const Snapshot& snapshot, const QString& trouble, qint64 took);

    std::shared_ptr<Take> take_;  ///< which may be under way when nobody wants it any more
    QTimer rest_;
    bool isPaused_ = false;
    bool isBusy_ = false;
    bool isDone_ = false;
};

class Browser;
class Filtering;
class LiveBar;
class OpenExperiments;

/// A program that is watched while it is recorded. Each snapshot takes the place of the one before among the
/// open experiments, and the plot above the panes follows the processes that are selected.
class WatchedRun : public QObject {
    Q_OBJECT
  public:
    /// All three must outlive the object. `folder`: of the measurement.
    WatchedRun(const QString& folder, OpenExperiments& experiments, Filtering& filtering, LiveBar& bar,
               QObject* parent = nullptr);

    ~WatchedRun() override;

    void start();
    /// Under which the experiment is open.
    const QString& path() const { return path_; }
    /// Writes what the panes show. Throws `holos::Error`.
    void keep(const QString& file) const;

  Q_SIGNALS:
    void failed(const QString& message);
    /// Somebody has closed the experiment, or there is nothing to watch.
    void closed();

  private:
    void take(const Snapshot& snapshot);
    void show();
    static bool isInUse();
    void followExperiments();
    void followSelection();
    ExperimentPtr shown() const;
    QString whatIsShown() const;
    Browser* browser() const;
    void askForFile();

    QString path_;
    OpenExperiments& experiments_;
    Filtering& filtering_;
    LiveBar& bar_;
    Snapshot snapshot_;
    bool isShown_ = false;   ///< among the open experiments
    bool isLooking_ = true;  ///< there is a recording to look at
    QTimer later_;           ///< until nothing is in use
    LivingRun run_;
    std::shared_ptr<std::atomic<bool>> isWanted_;  ///< one may be under way when nobody wants it any more
    RepeatedAnalysis analysis_;
};

}  // namespace holos::gui
