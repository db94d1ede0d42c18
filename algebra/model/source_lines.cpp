// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/source_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

namespace holos::algebra {

namespace {

constexpr std::size_t kNone = ~std::size_t{0};

/// Writers put a word such as `MPI` where libraries have no file.
bool isFile(const std::string& module) {
    return module.find_first_of("./\\") != std::string::npos;
}

/// Roots of metrics of which samples take a part of time.
constexpr std::array<std::string_view, 2> kTimes{"time", "critical_path"};

void add(double value, double& sum) {
    if (std::isfinite(value)) sum += value;
}

}  // namespace

bool hasLineOfCall(const Experiment& experiment, CallPathId path) {
    const CallPath& call = experiment.callTree[path];
    return call.line > 0 && isFile(call.module);
}

std::optional<SourceLine> sourceLineOf(const Experiment& experiment, CallPathId path) {
    const CallPath& call = experiment.callTree[path];
    if (hasLineOfCall(experiment, path)) return SourceLine{call.module, call.line};
    const Region& region = experiment.regionOf(path);
    if (!isFile(region.module)) return std::nullopt;
    return SourceLine{region.module, std::max<std::int64_t>(region.beginLine, 0)};
}

bool isSampledLine(const Experiment& experiment, CallPathId path) {
    const Region& region = experiment.regionOf(path);
    return region.role == "code" && region.beginLine > 0 && region.beginLine == region.endLine &&
           isFile(region.module) && !hasLineOfCall(experiment, path);
}

bool isDividedAmongLines(const Experiment& experiment, MetricId metric) {
    MetricId root = metric;
    while (const auto parent = experiment.metrics.parent(root)) root = *parent;
    return std::ranges::count(kTimes, experiment.metrics[root].uniqueName) > 0 &&
           isSumOfParts(experiment.metrics[metric]) && experiment.findMetric(kSamplesMetric);
}

PathValues dividedAmongLines(const Experiment& experiment, PathValues values,
                             const std::vector<double>& samples) {
    const CallTree& tree = experiment.callTree;
    for (const CallPathId function : tree.ids()) {
        std::vector<CallPathId> lines;
        double all = std::max(samples[function.index()], 0.0);  // of lines that are not known
        for (const CallPathId child : tree.children(function)) {
            const bool hasSamples = isSampledLine(experiment, child) && samples[child.index()] > 0;
            if (!hasSamples || values.exclusive[child.index()] != 0) continue;
            lines.push_back(child);
            all += samples[child.index()];
        }
        const double whole = values.exclusive[function.index()];
        for (const CallPathId line : lines) {
            const double part = whole * samples[line.index()] / all;
            values.exclusive[line.index()] += part;
            values.inclusive[line.index()] += part;
            values.exclusive[function.index()] -= part;
        }
        if (!lines.empty() && !(samples[function.index()] > 0)) values.exclusive[function.index()] = 0;
    }
    return values;
}

std::vector<LineValue> lineValues(const Experiment& experiment, const std::vector<double>& inclusive,
                                  const std::vector<double>& exclusive) {
    const CallTree& tree = experiment.callTree;
    std::map<SourceLine, std::size_t> known;
    std::vector<LineValue> values;
    std::vector<std::size_t> lineOf(tree.size(), kNone);   // of the call path itself
    std::vector<std::size_t> nearest(tree.size(), kNone);  // of it or of who calls it
    for (const CallPathId path : tree.ids()) {
        const std::size_t at = path.index();
        const auto parent = tree.parent(path);
        if (parent) nearest[at] = nearest[parent->index()];
        if (const auto place = sourceLineOf(experiment, path); place && place->line > 0) {
            const auto [line, isNew] = known.try_emplace(*place, values.size());
            if (isNew) values.push_back({*place, 0, 0});
            lineOf[at] = nearest[at] = line->second;
            bool isWithin = false;
            for (auto up = parent; up && !isWithin; up = tree.parent(*up))
                isWithin = lineOf[up->index()] == lineOf[at];
            if (!isWithin) add(inclusive[at], values[lineOf[at]].inclusive);
        }
        if (nearest[at] != kNone) add(exclusive[at], values[nearest[at]].own);
    }
    std::ranges::sort(values, {}, &LineValue::place);
    return values;
}

std::string belongingOf(const Region& region) {
    if (region.paradigm == "mpi") return "MPI";
    if (region.paradigm == "openmp") return "OpenMP";
    const std::string file = region.module.substr(region.module.rfind('/') + 1);
    return file.empty() ? "(unknown source)" : file;
}

}  // namespace holos::algebra
