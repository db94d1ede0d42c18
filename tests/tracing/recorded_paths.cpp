// SPDX-License-Identifier: BSD-3-Clause
#include "tests/tracing/recorded_paths.h"

namespace holos::testing {

std::string namesOf(const algebra::Experiment& experiment, algebra::CallPathId path,
                    const std::set<std::string>& functions) {
    const auto& last = experiment.regionOf(path);
    std::string names = last.name;
    for (auto at = experiment.callTree.parent(path); at && experiment.callTree.parent(*at);
         at = experiment.callTree.parent(*at)) {
        const auto& region = experiment.regionOf(*at);
        const bool isNamed = functions.empty() || functions.count(region.name) != 0;
        if (isNamed || region.paradigm == last.paradigm) names.insert(0, region.name + '/');
    }
    return names;
}

std::map<std::string, double> visitsByNames(const algebra::Experiment& experiment,
                                            const std::string& paradigm,
                                            const std::set<std::string>& functions) {
    std::map<std::string, double> visits;
    const auto& table = experiment.severities.table(*experiment.findMetric("visits"));
    for (const auto path : experiment.callTree.ids())
        if (experiment.regionOf(path).paradigm == paradigm)
            for (const double value : table.row(path)) visits[namesOf(experiment, path, functions)] += value;
    return visits;
}

}  // namespace holos::testing
