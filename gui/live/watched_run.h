// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <atomic>
#include <memory>

#include "gui/live/living_run.h"
#include "gui/live/repeated_analysis.h"

namespace holos::gui {

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
