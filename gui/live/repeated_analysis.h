// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>

#include "gui/live/snapshot.h"

namespace holos::gui {

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
    /// It is tried again: at first, nothing may have been recorded.
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

}  // namespace holos::gui
