// SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include "algebra/operators/derive/derive.h"
#include "algebra/operators/history/provenance.h"
#include "analyzer/analyze.h"
#include "analyzer/recorded_facts.h"
#include "holos/analyze.h"
#include "tracing/recordings/measurement/measurement.h"

namespace holos {
namespace {

analyzer::AnalysisOptions analysisOptions(const AnalyzeOptions& options) {
    analyzer::AnalysisOptions analysis;
    analysis.threads = options.threads;
    analysis.causes = options.causes;
    if (options.correctClocks) analysis.correctClocks.emplace();
    if (options.memoryLimit) analysis.memoryLimit = *options.memoryLimit;
    analysis.recordFolder = options.temporaryFolder;
    if (options.progress)
        analysis.progress = [&options](const analyzer::AnalysisProgress& now) { options.progress(now.part); };
    return analysis;
}

/// Equal to what `holos analyze` says.
algebra::Provenance provenanceOf(const std::filesystem::path& trace, const AnalyzeOptions& options) {
    algebra::Provenance provenance{
        "analyze", HOLOS_VERSION, {{"spec", options.specification}}, {{trace.string(), {}}}};
    if (!options.causes) provenance.options.emplace_back("no-causes", "true");
    if (options.correctClocks) provenance.options.emplace_back("correct-clocks", "true");
    return provenance;
}

}  // namespace

Analysis analyze(const std::filesystem::path& trace, const AnalyzeOptions& options) {
    analyzer::AnalysisResult result = analyzer::analyze(trace, analysisOptions(options));
    Analysis analysis;
    for (const analyzer::Diagnosis& diagnosis : result.diagnoses)
        analysis.problems.push_back(analyzer::diagnosisText(diagnosis));
    std::error_code ignored;
    const bool isFolder = std::filesystem::is_directory(trace, ignored);
    const std::filesystem::path folder = isFolder ? trace : trace.parent_path();
    analyzer::addRecordedFacts(result.experiment, folder);
    analysis.experiment = algebra::applySpecification(std::move(result.experiment), options.specification);
    algebra::Provenance provenance = provenanceOf(trace, options);
    provenance.run = measurement::recordedRun(folder);
    algebra::setProvenance(analysis.experiment, provenance);
    return analysis;
}

}  // namespace holos
