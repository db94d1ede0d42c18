// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <vector>

#include "tracing/recordings/watch/picture.h"

namespace holos::watch {
class FollowedRun;
}

namespace holos::gui {

/// What a recording shows at a moment.
struct LiveLook {
    std::vector<watch::Metric> metrics;
    std::vector<watch::Row> rows;  ///< of processes
    QString summary;               ///< how many there are, and how much they record
    bool isOver = false;           ///< nobody records any more
};

/// Looks at a recording each second, in a thread of its own. Nothing of the recording is changed.
class LivingRun : public QObject {
    Q_OBJECT
  public:
    /// `folder`: of the measurement.
    explicit LivingRun(const QString& folder, QObject* parent = nullptr);

    void start();
    void setPaused(bool paused);

  Q_SIGNALS:
    void looked(const LiveLook& look);
    void failed(const QString& message);

  private:
    void look();
    void show(const LiveLook& look, const QString& trouble);

    QString folder_;
    std::shared_ptr<watch::FollowedRun> run_;  ///< of the last look
    QTimer timer_;
    bool isLooking_ = false;
};

}  // namespace holos::gui
