// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/findings.h"

#include <algorithm>

#include "tests/support/lawful.h"
#include "tests/support/severity_lookup.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

analyzer::AnalysisOptions withWorkers(unsigned workers) {
    analyzer::AnalysisOptions options;
    options.threads = workers;
    return options;
}

/// The results of every test obey the laws.
analyzer::AnalysisResult lawful(analyzer::AnalysisResult result) {
    requireLaws(result.experiment);
    return result;
}

analyzer::AnalysisResult analyzeBuilt(const TraceBuilder& trace, const analyzer::AnalysisOptions& options) {
    const TemporaryDirectory directory;
    return lawful(analyzer::analyze(trace.write(directory.path()), options));
}

}  // namespace

Findings::Findings(const TraceBuilder& trace, unsigned workers) : Findings(trace, withWorkers(workers)) {}

Findings::Findings(const TraceBuilder& trace, const analyzer::AnalysisOptions& options)
    : threads_(trace.threads()), result_(analyzeBuilt(trace, options)) {}

Findings::Findings(const std::filesystem::path& archive, unsigned threadsOfAProcess, unsigned workers)
    : threads_(threadsOfAProcess), result_(lawful(analyzer::analyze(archive, withWorkers(workers)))) {}

double Findings::at(std::string_view metric, std::string_view path, unsigned rank, unsigned thread) const {
    return severity(result_.experiment, metric, path, algebra::LocationId(rank * threads_ + thread));
}

double Findings::total(std::string_view metric) const {
    return testing::total(result_.experiment, metric);
}

bool Findings::reported(analyzer::Trouble trouble) const {
    return std::any_of(result_.diagnoses.begin(), result_.diagnoses.end(),
                       [&](const auto& diagnosis) { return diagnosis.trouble == trouble; });
}

}  // namespace holos::testing
