// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <QStringList>

#include "gui/experiments/file_version.h"
#include "gui/experiments/loader.h"

namespace holos::gui {

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
