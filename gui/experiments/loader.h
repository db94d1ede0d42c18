// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <memory>

#include "gui/models/value_cache.h"

class QThread;

namespace holos::gui {

/// The file of an experiment, where the path may be the folder that it is in; the path itself where there is
/// none.
QString experimentFile(const QString& path);
/// `experimentFile`, or the files of all runs where the path is the folder of a study over sizes (`holos
/// campaign
/// --sizes`).
QStringList experimentFiles(const QString& path);

/// Reads the values that the first picture needs, where they are few; browsers read others while they are
/// open.
void readFirstValues(const algebra::Experiment& experiment);

/// Reads an experiment and its first values. That of another machine (`me@login1:run`) is opened over ssh;
/// its values are asked for when they are shown. Throws `holos::Error`.
ExperimentPtr loadExperiment(const QString& path);

/// Ends all connections to other machines, so that nobody waits for them when the browser is closed.
void endConnections();

/// Makes one experiment, by reading or computing, in a thread of its own. Exactly one of the signals comes,
/// in the owner's thread. Destruction waits for the thread.
///
/// Thread safety: one thread; `work` runs in another.
class Loader : public QObject {
    Q_OBJECT
  public:
    using Work = std::function<ExperimentPtr()>;

    /// `work` may throw `holos::Error`; `name` is what the experiment will be called.
    Loader(QString name, Work work, QObject* parent = nullptr);
    ~Loader() override;

    const QString& name() const { return name_; }
    void start();
    /// Nobody wants the result any more: it goes away, with the object, when it is there. Only before the
    /// signals have come.
    static void abandon(std::unique_ptr<Loader> loader, QObject* parent);

  Q_SIGNALS:
    void loaded(ExperimentPtr experiment);
    void failed(const QString& message);

  private:
    QString name_;
    Work work_;
    std::unique_ptr<QThread> thread_;
};

}  // namespace holos::gui
