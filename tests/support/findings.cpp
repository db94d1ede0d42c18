// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/findings.h"

#include <algorithm>
#include <stdexcept>

#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

analyzer::AnalysisResult analyzeBuilt(const TraceBuilder& trace, unsigned workers) {
    const TemporaryDirectory directory;
    return analyzer::analyze(trace.write(directory.path()), {.threads = workers, .progress = {}});
}

}  // namespace

Findings::Findings(const TraceBuilder& trace, unsigned workers)
    : threads_(trace.threads()), result_(analyzeBuilt(trace, workers)) {}

Findings::Findings(const std::filesystem::path& archive, unsigned threadsOfAProcess, unsigned workers)
    : threads_(threadsOfAProcess),
      result_(analyzer::analyze(archive, {.threads = workers, .progress = {}})) {}

std::optional<algebra::CallPathId> Findings::callPath(std::string_view path) const {
    const auto& experiment = result_.experiment;
    const auto* candidates = &experiment.callTree.roots();
    std::optional<algebra::CallPathId> found;
    while (!path.empty()) {
        const auto slash = path.find('/');
        const auto name = path.substr(0, slash);
        path = slash == std::string_view::npos ? std::string_view{} : path.substr(slash + 1);
        const auto match = std::find_if(candidates->begin(), candidates->end(),
                                        [&](auto id) { return experiment.regionOf(id).name == name; });
        if (match == candidates->end()) return std::nullopt;
        found = *match;
        candidates = &experiment.callTree.children(*match);
    }
    return found;
}

double Findings::at(std::string_view metric, std::string_view path, unsigned rank, unsigned thread) const {
    const auto& experiment = result_.experiment;
    const auto id = experiment.findMetric(std::string(metric));
    if (!id) throw std::out_of_range("no metric " + std::string(metric));
    const auto call = callPath(path);
    if (!call) throw std::out_of_range("no call path " + std::string(path));
    const auto& table = experiment.severities.table(*id);
    return table.callPaths() == 0 ? 0 : table.at(*call, algebra::LocationId(rank * threads_ + thread));
}

double Findings::total(std::string_view metric) const {
    const auto& experiment = result_.experiment;
    const auto id = experiment.findMetric(std::string(metric));
    if (!id) return 0;
    const auto& table = experiment.severities.table(*id);
    double sum = 0;
    if (table.callPaths() == 0) return sum;
    for (const auto path : experiment.callTree.ids())
        for (const double value : table.row(path)) sum += value;
    return sum;
}

bool Findings::reported(analyzer::Trouble trouble) const {
    return std::any_of(result_.diagnoses.begin(), result_.diagnoses.end(),
                       [&](const auto& diagnosis) { return diagnosis.trouble == trouble; });
}

}  // namespace holos::testing
