// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <QThreadPool>
#include <atomic>
#include <memory>

#include "analyzer/timeline/levels.h"
#include "gui/models/timeline/timeline.h"

namespace holos::gui {

using LevelsPtr = std::shared_ptr<const analyzer::timeline::Levels>;
using MessagesPtr = std::shared_ptr<const analyzer::timeline::KeptMessages>;

/// The levels of detail of a trace: those beside it, or else made now, in threads of its own, and kept beside
/// it where files can be written there. Signals come in the owner's thread. Destruction waits for the
/// threads, which stop at their next event.
class TimelineLevels : public QObject {
    Q_OBJECT
  public:
    TimelineLevels(QString archive, DefinitionsPtr definitions, QObject* parent = nullptr);
    ~TimelineLevels() override;

    void start();
    /// Null before `ready`.
    const LevelsPtr& levels() const { return levels_; }
    const MessagesPtr& messages() const { return messages_; }

  Q_SIGNALS:
    /// How much of it is made.
    void progress(double part);
    void ready();
    void failed(const QString& message);

  private:
    LevelsPtr find(const std::atomic<bool>& stopped);

    QString archive_;
    DefinitionsPtr definitions_;
    QThreadPool pool_;
    std::shared_ptr<std::atomic<bool>> stopped_;
    LevelsPtr levels_;
    MessagesPtr messages_;
};

}  // namespace holos::gui
