// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QThreadPool>
#include <atomic>
#include <memory>
#include <vector>

#include "algebra/model/experiment.h"
#include "analyzer/timeline/activity.h"
#include "analyzer/trace/excerpt.h"

namespace holos::gui {

namespace trace = analyzer::trace;
using DefinitionsPtr = std::shared_ptr<const trace::Definitions>;

/// The archives that an experiment comes from and that are here: the one beside its file, and those that its
/// provenance names.
QStringList tracesOf(const algebra::Experiment& experiment, const QString& file);

/// `MPI Rank 1 / Master thread`, as instances of waiting name locations.
QString traceLocationName(const trace::Definitions& definitions, trace::LocationId location);

/// The trace's location of this name.
std::optional<trace::LocationId> traceLocationNamed(const trace::Definitions& definitions,
                                                    const QString& name);
/// The location of the trace with the same process and thread numbers, and the other way round.
std::optional<trace::LocationId> inTrace(const algebra::Experiment& experiment,
                                         const trace::Definitions& definitions, algebra::LocationId location);
std::optional<algebra::LocationId> inExperiment(const algebra::Experiment& experiment,
                                                const trace::Definitions& definitions,
                                                trace::LocationId location);

using analyzer::timeline::Activity;
using analyzer::timeline::activityOf;
QString nameOf(Activity activity);

/// Some locations in some part of the run.
struct TimelinePicture {
    trace::Window window;
    std::vector<trace::LocationExcerpt> rows;
    std::vector<trace::Message> messages;
    bool tooManyMessages = false;
    QString problem;
};
using TimelinePtr = std::shared_ptr<const TimelinePicture>;

/// Reads an archive on demand, in a thread of its own; a new wish ends what is being read. Signals come in
/// the owner's thread. Destruction waits for the thread, which stops at its next event.
///
/// Thread safety: one thread; its own has the archive for itself.
class TimelineReader : public QObject {
    Q_OBJECT
  public:
    explicit TimelineReader(QString archive, QObject* parent = nullptr);
    ~TimelineReader() override;

    const QString& archive() const { return archive_; }
    /// Null before `opened`.
    const DefinitionsPtr& definitions() const { return definitions_; }

    void open();
    /// After `opened`.
    void read(const trace::Window& window, std::vector<trace::LocationId> locations);

  Q_SIGNALS:
    void opened();
    void ready(TimelinePtr picture);
    void failed(const QString& message);

  private:
    QString archive_;
    QThreadPool pool_;
    DefinitionsPtr definitions_;
    std::shared_ptr<std::atomic<bool>> stopped_;  ///< of what is being read
};

}  // namespace holos::gui
