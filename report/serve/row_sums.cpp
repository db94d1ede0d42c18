// SPDX-License-Identifier: BSD-3-Clause
#include "report/serve/row_sums.h"

#include <span>

#include "algebra/model/row_sums.h"
#include "algebra/model/source_lines.h"

namespace holos::serve {

using namespace algebra;

bool hasRowSums(const Experiment& experiment, MetricId id) {
    const Metric& metric = experiment.metrics[id];
    return metric.hasValues() && !metric.isVoid && metric.valueType != ValueType::Compound &&
           isSumOfParts(metric);
}

namespace {

/// By call path.
std::vector<char> chosenOf(const CallTree& tree, const CallPathChoice& path) {
    std::vector<char> isChosen(tree.size());
    for (const CallPathId id : tree.ids()) {
        const auto parent = tree.parent(id);
        const bool isBelow = path.extent == Extent::Inclusive && parent && isChosen[parent->index()] != 0;
        isChosen[id.index()] = id == path.path || isBelow ? 1 : 0;
    }
    return isChosen;
}

/// Calls `add` with each row that has values, callers first.
template <class Add>
void eachRow(const Experiment& experiment, MetricId metric, const Add& add) {
    const RowsPtr rows = experiment.severities.rows(metric);
    std::vector<double> scratch(experiment.system.locations.size());
    for (const CallPathId id : experiment.callTree.ids())
        if (id.index() < rows->callPaths() && rows->hasRow(id))
            add(id, [&] { return rows->row(id, scratch); });
}

void addTo(std::vector<double>& sums, std::span<const double> row) {
    for (std::size_t at = 0; at < row.size(); ++at) sums[at] += row[at];
}

}  // namespace

RowSums rowSumsOf(const Experiment& experiment, MetricId metric) {
    if (const auto stored = experiment.severities.rows(metric)->storedSums()) return *stored;
    return sumsOf(*experiment.severities.rows(metric));
}

std::vector<double> locationSumsOf(const Experiment& experiment, MetricId metric,
                                   const CallPathChoice& path) {
    const std::vector<char> isChosen = chosenOf(experiment.callTree, path);
    std::vector<double> sums(experiment.system.locations.size());
    eachRow(experiment, metric, [&](CallPathId id, const auto& read) {
        if (isChosen[id.index()] != 0) addTo(sums, read());
    });
    return sums;
}

std::vector<double> withThoseBelow(const CallTree& tree, std::vector<double> own) {
    for (std::size_t at = tree.size(); at-- > 0;)
        if (const auto parent = tree.parent(CallPathId(at))) own[parent->index()] += own[at];
    return own;
}

std::vector<double> sumsOfSystem(const SystemTree& system, const std::vector<double>& locations) {
    const std::size_t processes = system.nodes.size();
    std::vector<double> sums(processes + system.processes.size());
    for (std::size_t at = 0; at < locations.size(); ++at) {
        const Process& process = system[system.locations[at].process];
        sums[processes + system.locations[at].process.index()] += locations[at];
        for (std::optional up = process.node; up; up = system.nodes.parent(*up))
            sums[up->index()] += locations[at];
    }
    sums.insert(sums.end(), locations.begin(), locations.end());
    return sums;
}

}  // namespace holos::serve
