// SPDX-License-Identifier: BSD-3-Clause
#include "gui/live/snapshot.h"

#include <cstdlib>
#include <functional>
#include <memory>

#include "algebra/operators/derive/derive.h"
#include "analyzer/analyze.h"
#include "analyzer/recorded_facts.h"
#include "base/error.h"
#include "report/tables/notes.h"
#include "tracing/recordings/archive/archive.h"
#include "tracing/recordings/archive/snapshot.h"

namespace holos::gui {

namespace {

/// Not beside the recording, whose room it would take.
std::filesystem::path placeOfTraces() {
    const char* folder = std::getenv("TMPDIR");
    return folder != nullptr && *folder != '\0' ? folder : "/var/tmp";
}

algebra::Experiment analyzed(const std::filesystem::path& trace, const std::function<void()>& check) {
    analyzer::AnalysisOptions options;
    options.progress = [&check](const analyzer::AnalysisProgress&) { check(); };
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

Snapshot takeSnapshot(const std::filesystem::path& folder, const std::atomic<bool>& isWanted) {
    const auto check = [&isWanted] {
        if (!isWanted) throw Error("the analysis was cancelled");
    };
    while (archive::needsFinish(folder)) {
        const archive::Snapshot snapshot(folder, placeOfTraces(), check);
        if (!snapshot.isWhole()) continue;  // its trace is made: there is more now
        algebra::Experiment experiment = analyzed(snapshot.path(), check);
        tables::markAsSnapshot(experiment, snapshot);
        return {shared(std::move(experiment)), {}, QString::fromStdString(tables::describe(snapshot)), false};
    }
    return {shared(analyzed(folder, check)), {}, {}, true};
}

}  // namespace holos::gui
