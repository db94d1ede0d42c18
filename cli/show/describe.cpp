// SPDX-License-Identifier: BSD-3-Clause
#include "cli/show/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "algebra/files/stored_values.h"
#include "algebra/model/queries.h"
#include "algebra/operators/history/provenance.h"
#include "report/tables/value_tree.h"

namespace holos::cli {

using namespace algebra;

namespace {

std::string heading(const Style& style, const std::string& text) {
    return '\n' + style.strong(text) + '\n';
}

std::string attributeLines(const Attributes& attributes) {
    std::string text;
    for (const auto& [key, value] : attributes)
        if (key != kProvenanceAttribute) text += "  " + printable(key) + ": " + printable(value) + '\n';
    return text;
}

/// One line per operator, its inputs indented below it.
std::string historyLines(const Provenance& step, std::size_t level) {
    std::string text = std::string(2 * level, ' ') + printable(step.operation);
    for (const auto& [name, value] : step.options) text += " --" + printable(name) + ' ' + printable(value);
    text += "  (Holos " + printable(step.version) + ")\n";
    for (const Provenance::Input& input : step.inputs) {
        text += std::string(2 * level + 2, ' ') + printable(input.name) + '\n';
        for (const Provenance& origin : input.origin) text += historyLines(origin, level + 2);
    }
    return text;
}

std::string history(const Experiment& experiment, const Style& style) {
    const auto provenance = provenanceOf(experiment);
    return provenance ? heading(style, "Made by") + historyLines(*provenance, 1) : std::string();
}

/// How a metric comes by its values, for readers who know CUBE.
std::string kindOf(const Metric& metric) {
    std::string kind =
        metric.hasValues() ? "stored as " + typeNameOf(metric) : "derived: " + printable(metric.expression);
    if (metric.storage == Storage::Inclusive) kind += ", inclusive";
    if (metric.ghost) kind += ", hidden";
    if (metric.isVoid) kind += ", without value";
    if (metric.incomplete) kind += ", incomplete";
    return kind;
}

std::string metricList(const Experiment& experiment, const Style& style) {
    std::vector<std::size_t> levels;
    for (const MetricId root : experiment.metrics.roots())
        for (const MetricId id : experiment.metrics.subtree(root))
            levels.push_back(experiment.metrics.depth(id));
    const auto branches = tables::treeBranches(levels);
    auto branch = branches.begin();
    std::string text = heading(style, fmt::format("Metrics: {}", experiment.metrics.size()));
    for (const MetricId root : experiment.metrics.roots())
        for (const MetricId id : experiment.metrics.subtree(root)) {
            const Metric& metric = experiment.metrics[id];
            text += "  " + *branch++ + printable(metric.displayName) + "  [" + printable(metric.uniqueName) +
                    "]" + (metric.unit.empty() ? "" : " in " + printable(metric.unit)) +
                    style.faint("  " + keepBegin(kindOf(metric), 60)) + '\n';
        }
    return text;
}

std::string callTreeSummary(const Experiment& experiment, const Style& style) {
    std::size_t deepest = 0;
    std::vector<std::size_t> depths(experiment.callTree.size(), 1);
    std::map<std::string, std::size_t> paradigms;
    for (const CallPathId path : experiment.callTree.ids()) {
        if (const auto parent = experiment.callTree.parent(path))
            depths[path.index()] = depths[parent->index()] + 1;
        deepest = std::max(deepest, depths[path.index()]);
        ++paradigms[experiment.regionOf(path).paradigm];
    }
    std::string text = heading(style, fmt::format("Call paths: {}", experiment.callTree.size()));
    text += fmt::format("  {} regions, {} levels\n", experiment.regions.size(), deepest);
    for (const auto& [paradigm, number] : paradigms)
        text += fmt::format("  {} of paradigm {}\n", number, printable(paradigm));
    return text;
}

std::string systemSummary(const Experiment& experiment, const Style& style) {
    const SystemTree& system = experiment.system;
    std::string text = heading(style, fmt::format("Locations: {}", system.locations.size()));
    if (const std::size_t threads = numberOfThreads(system); threads != system.locations.size())
        text += fmt::format("  {} threads; the others carry counters or samples, or are of accelerators\n",
                            threads);
    std::map<std::string, std::size_t> classes;
    for (const SystemNodeId node : system.nodes.ids()) ++classes[system.nodes[node].className];
    for (const auto& [name, number] : classes)
        text += fmt::format("  {} of class {}\n", number, printable(name));
    text += fmt::format("  {} processes\n", system.processes.size());
    for (const Topology& topology : experiment.topologies) {
        std::string sizes;
        for (const auto& dimension : topology.dimensions)
            sizes += (sizes.empty() ? "" : " x ") + std::to_string(dimension.size);
        text += "  topology " + printable(topology.name) + ": " + sizes + '\n';
    }
    return text;
}

}  // namespace

std::string describeExperiment(const Experiment& experiment, const std::string& file, const Style& style) {
    std::string text =
        style.strong(printable(file)) + ": experiment\n" + attributeLines(experiment.attributes);
    for (const std::string& mirror : experiment.mirrors) text += "  mirror: " + printable(mirror) + '\n';
    text += history(experiment, style);
    text +=
        metricList(experiment, style) + callTreeSummary(experiment, style) + systemSummary(experiment, style);
    if (!experiment.files.empty()) text += heading(style, "Additional files");
    for (const auto& [name, content] : experiment.files)
        text += fmt::format("  {} ({} bytes)\n", printable(name), content.size());
    return text;
}

}  // namespace holos::cli
