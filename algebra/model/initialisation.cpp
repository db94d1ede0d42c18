// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/initialisation.h"

#include <utility>

#include "algebra/model/experiment_facts.h"
#include "base/error.h"

namespace holos::algebra {
namespace {

void run(const Experiment& experiment, MetricId id, cubepl::Budget& budget, Initialisation& result) {
    const cubepl::Program program = cubepl::parse(experiment.metrics[id].initialisation);
    if (!program.references.empty()) throw Error("an initialisation that uses metrics is not supported");
    ExperimentFacts facts(experiment, budget);
    facts.setMetric(id);
    auto [variables, changes] = cubepl::initialise(
        program, {.operands = {}, .facts = &facts, .given = {&result.shared, nullptr}, .budget = &budget});
    result.shared.shared.insert(variables.shared.begin(), variables.shared.end());
    for (auto& [name, value] : variables.values) {
        auto& into = result.shared.shared.contains(name) ? result.shared : result.own[id];
        into.values.insert_or_assign(name, std::move(value));
    }
    for (const auto& [metric, property, value] : changes)
        if (const auto changed = experiment.findMetric(metric); changed && property == "value") {
            if (value == "VOID")
                result.madeVoid.insert(*changed);
            else
                result.madeVoid.erase(*changed);
        }
}

}  // namespace

Initialisation initialise(const Experiment& experiment) {
    Initialisation result;
    cubepl::Budget budget;
    for (const MetricId id : experiment.metrics.ids()) {
        if (experiment.metrics[id].initialisation.empty()) continue;
        try {
            run(experiment, id, budget, result);
        } catch (const Error& error) {
            result.failures.emplace(id, error.what());
        }
    }
    return result;
}

}  // namespace holos::algebra
