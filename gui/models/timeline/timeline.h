// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <QStringList>
#include <filesystem>
#include <memory>
#include <vector>

#include "algebra/model/experiment.h"
#include "analyzer/timeline/region_times.h"
#include "analyzer/trace/excerpt.h"

namespace holos::gui {

namespace trace = analyzer::trace;
using DefinitionsPtr = std::shared_ptr<const trace::Definitions>;

/// The archives that an experiment comes from and that are here: the one beside its file, or in the folder of
/// the recording that it is of, and those that its provenance names.
QStringList tracesOf(const algebra::Experiment& experiment, const QString& file);
/// Where its events may be: the experiment's own file, in whose folder they are, and these archives.
std::vector<std::filesystem::path> filesOfRun(const algebra::Experiment& experiment, const QString& file);

/// As the trace names it; of accelerators with the same name, such as a context of each process, the second
/// one is `CUDA Context 1 (2)`.
QString traceProcessName(const trace::Definitions& definitions, trace::ProcessId process);
/// `MPI Rank 1 / Master thread`, as instances of waiting name locations.
QString traceLocationName(const trace::Definitions& definitions, trace::LocationId location);

/// What somebody wrote down at a moment of a location of a trace. The location has its name, so that the note
/// stays where it is when the run is analyzed anew.
struct TimelineNote {
    QString location;  ///< as `traceLocationName` has it
    double seconds = 0.0;
    QString text;
    friend bool operator==(const TimelineNote&, const TimelineNote&) = default;
};

using TimelineNotes = std::vector<TimelineNote>;

trace::Ticks nearestTick(const trace::Definitions& definitions, double seconds);

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

}  // namespace holos::gui
