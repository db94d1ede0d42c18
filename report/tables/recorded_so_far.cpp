// SPDX-License-Identifier: BSD-3-Clause
#include "report/tables/recorded_so_far.h"

#include <cstdlib>

#include "algebra/operators/derive/derive.h"
#include "analyzer/analyze.h"
#include "analyzer/recorded_facts.h"
#include "report/tables/notes.h"
#include "tracing/recordings/archive/conversion.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"

namespace holos::tables {

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

}  // namespace

RecordedSoFar recordedSoFar(const std::filesystem::path& folder, const std::function<void()>& check) {
    while (archive::needsFinish(folder)) {
        const archive::Snapshot snapshot(folder, placeOfTraces(), check);
        if (!snapshot.isWhole()) continue;  // its trace is made: there is more now
        algebra::Experiment experiment = analyzed(snapshot.path(), check);
        markAsSnapshot(experiment, snapshot);
        return {std::move(experiment), snapshotText(snapshot), false};
    }
    return {analyzed(folder, check), {}, true};
}

}  // namespace holos::tables
