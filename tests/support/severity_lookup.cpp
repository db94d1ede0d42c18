// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/severity_lookup.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "algebra/model/call_names.h"

namespace holos::testing {

using algebra::CallPathId;
using algebra::Experiment;

namespace {

/// By the region, or by that and where it is called.
bool isCalled(const Experiment& experiment, CallPathId path, std::string_view name) {
    return experiment.regionOf(path).name == name || algebra::callText(experiment, path) == name;
}

}  // namespace

std::optional<CallPathId> callPath(const Experiment& experiment, std::string_view path) {
    const auto* candidates = &experiment.callTree.roots();
    std::optional<CallPathId> found;
    while (!path.empty()) {
        const auto slash = path.find('/');
        const auto name = path.substr(0, slash);
        path = slash == std::string_view::npos ? std::string_view{} : path.substr(slash + 1);
        const auto match = std::find_if(candidates->begin(), candidates->end(),
                                        [&](auto id) { return isCalled(experiment, id, name); });
        if (match == candidates->end()) return std::nullopt;
        found = *match;
        candidates = &experiment.callTree.children(*match);
    }
    return found;
}

std::optional<CallPathId> callPathEnding(const Experiment& experiment, std::string_view path) {
    for (const CallPathId id : experiment.callTree.ids()) {
        std::optional<CallPathId> at = id;
        auto rest = path;
        while (at && !rest.empty()) {
            const auto slash = rest.rfind('/');
            const auto name = slash == std::string_view::npos ? rest : rest.substr(slash + 1);
            if (!isCalled(experiment, *at, name)) break;
            rest = slash == std::string_view::npos ? std::string_view{} : rest.substr(0, slash);
            at = experiment.callTree.parent(*at);
        }
        if (rest.empty()) return id;
    }
    return std::nullopt;
}

double severity(const Experiment& experiment, std::string_view metric, std::string_view path,
                algebra::LocationId location) {
    const auto id = experiment.findMetric(std::string(metric));
    if (!id) throw std::out_of_range("no metric " + std::string(metric));
    const auto call = callPath(experiment, path);
    if (!call) throw std::out_of_range("no call path " + std::string(path));
    const auto& table = experiment.severities.table(*id);
    return table.callPaths() == 0 ? 0 : table.at(*call, location);
}

double severityOfRegion(const Experiment& experiment, std::string_view metric, std::string_view region,
                        algebra::LocationId location) {
    const auto id = experiment.findMetric(std::string(metric));
    if (!id) throw std::out_of_range("no metric " + std::string(metric));
    if (!callPathEnding(experiment, region))
        throw std::out_of_range("no call path of " + std::string(region));
    const auto& table = experiment.severities.table(*id);
    double sum = 0;
    if (table.callPaths() == 0) return sum;
    for (const CallPathId path : experiment.callTree.ids())
        if (isCalled(experiment, path, region)) sum += table.at(path, location);
    return sum;
}

double total(const Experiment& experiment, std::string_view metric) {
    const auto id = experiment.findMetric(std::string(metric));
    if (!id) return 0;
    const auto& table = experiment.severities.table(*id);
    double sum = 0;
    if (table.callPaths() == 0) return sum;
    for (const auto path : experiment.callTree.ids())
        for (const double value : table.row(path)) sum += value;
    return sum;
}

}  // namespace holos::testing
