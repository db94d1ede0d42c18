// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <functional>
#include <memory>

#include "gui/models/value_cache.h"

class QThread;

namespace holos::gui {

/// The file of an experiment, where the path may be the folder that it is in; the path itself where there is
/// none.
QString experimentFile(const QString& path);
/// `experimentFile`, or the files of all runs where the path is the folder of a study over sizes
/// (`holos campaign --sizes`).
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

/// What a file was at a moment: it changes when the file is written, or another one takes its name.
struct FileVersion {
    std::uint64_t device = 0;
    std::uint64_t number = 0;
    std::int64_t bytes = -1;   ///< -1: there is no such file
    std::int64_t changed = 0;  ///< nanoseconds

    bool operator==(const FileVersion&) const = default;
    bool isFile() const { return bytes >= 0; }
};

/// Now, of a regular file; links are followed.
FileVersion versionOf(const QString& path);

/// Makes experiments in the background, one after the other: files that are read, results that are computed.
class FileOpening : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// Or all runs of a study over sizes, of which this is the folder.
    void open(const QString& path);
    /// One after the other.
    void open(const QStringList& paths);
    /// Makes an experiment of this name. What was being made is given up.
    void load(const QString& name, const Loader::Work& work);
    /// Gives up what is being made, and what was to follow.
    void cancel();
    bool isBusy() const { return loader_ != nullptr; }

  Q_SIGNALS:
    /// Somebody wants something to be opened: what was said of others is no longer of interest.
    void wanted();
    void started(const QString& name);
    /// `version`: of the file of this name before it was read; of no file where it was computed.
    void loaded(const QString& name, ExperimentPtr experiment, const FileVersion& version);
    void failed(const QString& message);
    /// After `loaded` (well), or `failed` or `cancel` (not).
    void ended(bool well);
    /// Of several files, of which this was the first, the last one has ended.
    void allEnded(const QString& first);

  private:
    void openNext();
    void end(bool well);

    std::unique_ptr<Loader> loader_;
    QStringList waiting_;  ///< files that are opened next
    QString first_;        ///< of several files that are being opened
};

}  // namespace holos::gui
