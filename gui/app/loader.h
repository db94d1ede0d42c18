// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <QString>
#include <memory>

#include "gui/models/value_cache.h"

class QThread;

namespace holos::gui {

/// Reads an experiment and the values that the first picture needs. Throws `holos::Error`.
ExperimentPtr loadExperiment(const QString& path);

/// Reads one experiment in a thread of its own. Exactly one of the signals comes, in the owner's thread.
/// Destruction waits for the thread.
class Loader : public QObject {
    Q_OBJECT
  public:
    explicit Loader(QString path, QObject* parent = nullptr);
    ~Loader() override;

    const QString& path() const { return path_; }
    void start();

  Q_SIGNALS:
    void loaded(ExperimentPtr experiment);
    void failed(const QString& message);

  private:
    QString path_;
    std::unique_ptr<QThread> thread_;
};

}  // namespace holos::gui
