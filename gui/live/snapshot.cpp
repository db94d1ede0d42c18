// SPDX-License-Identifier: BSD-3-Clause
#include "gui/live/snapshot.h"

#include <cstdlib>
#include <memory>

#include "algebra/operators/derive/derive.h"
#include "analyzer/analyze.h"
#include "analyzer/recorded_facts.h"
#include "base/error.h"
#include "report/tables/snapshot_note.h"
#include "tracing/archive/archive.h"
#include "tracing/archive/snapshot.h"

namespace holos::gui {

namespace {

/// Not beside the recording, whose room it would take.
std::filesystem::path placeOfTraces() {
    const char* folder = std::getenv("TMPDIR");
    return folder != nullptr && *folder != '\0' ? folder : "/var/tmp";
}

algebra::Experiment analyzed(const std::filesystem::path& trace) {
    analyzer::AnalysisOptions options;
    options.recordFolder = placeOfTraces();
    algebra::Experiment experiment = analyzer::analyze(trace, options).experiment;
    analyzer::addRecordedFacts(experiment, trace);
    return algebra::applySpecification(std::move(experiment), "auto");
}

ExperimentPtr shared(algebra::Experiment experiment) {
    for (const algebra::MetricId root : experiment.metrics.roots()) experiment.severities.table(root);
    return std::make_shared<const algebra::Experiment>(std::move(experiment));
}

}  // namespace

Snapshot takeSnapshot(const std::filesystem::path& folder) {
    while (archive::needsFinish(folder)) {
        const archive::Snapshot snapshot(folder, placeOfTraces());
        if (!snapshot.isWhole()) continue;  // its trace is made: there is more now
        algebra::Experiment experiment = analyzed(snapshot.path());
        tables::markAsSnapshot(experiment, snapshot);
        return {shared(std::move(experiment)), {}, QString::fromStdString(tables::describe(snapshot)), false};
    }
    return {shared(analyzed(folder)), {}, {}, true};
}

}  // namespace holos::gui
