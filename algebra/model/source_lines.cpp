// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/source_lines.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace holos::algebra {

namespace {

constexpr std::size_t kNone = ~std::size_t{0};

/// Writers put a word such as `MPI` where libraries have no file.
bool isFile(const std::string& module) {
    return module.find_first_of("./\\") != std::string::npos;
}

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

bool isSumOfParts(const Metric& metric) {
    return metric.valueType != ValueType::MinDouble && metric.valueType != ValueType::MaxDouble &&
           metric.origin != Origin::Ratio && metric.storage != Storage::PostDerived;
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

}  // namespace holos::algebra
