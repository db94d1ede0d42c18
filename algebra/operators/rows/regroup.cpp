// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/rows/regroup.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "algebra/model/structure.h"
#include "algebra/operators/unite/run_facts.h"

namespace holos::algebra {

Experiment structureOf(const Experiment& experiment) {
    Experiment made;
    made.metrics = experiment.metrics;
    made.regions = experiment.regions;
    made.callTree = experiment.callTree;
    made.system = experiment.system;
    made.attributes = experiment.attributes;
    made.mirrors = experiment.mirrors;
    made.files = experiment.files;
    made.topologies = experiment.topologies;
    made.metricsTitle = experiment.metricsTitle;
    made.callTreeTitle = experiment.callTreeTitle;
    made.systemTitle = experiment.systemTitle;
    made.compoundValues = experiment.compoundValues;
    return made;
}

Experiment copyOf(const Experiment& experiment) {
    Experiment made = structureOf(experiment);
    for (const MetricId id : experiment.metrics.ids())
        if (experiment.severities.has(id)) made.severities.setRows(id, experiment.severities.source(id));
    return made;
}

namespace {

/// What the values of all metrics have in common.
struct Plan {
    explicit Plan(const Regrouping& regrouping)
        : locations(regrouping.locations),
          sources(regrouping.callTree.size()),
          newLocations(regrouping.system.locations.size()) {
        sameLocations = locations.size() == newLocations;
        for (std::size_t at = 0; at < locations.size(); ++at)
            sameLocations = sameLocations && locations[at] == LocationId(at);
        for (std::size_t old = 0; old < regrouping.callPaths.size(); ++old)
            if (const auto path = regrouping.callPaths[old]) sources[path->index()].emplace_back(old);
    }

    std::vector<LocationId> locations;             ///< by old location
    std::vector<std::vector<CallPathId>> sources;  ///< by new call path: the old ones, ascending
    std::size_t newLocations = 0;
    bool sameLocations = false;  ///< each is where it was
};

double sumOf(double a, double b) {
    return a + b;
}
double smallerOf(double a, double b) {
    return std::min(a, b);
}
double largerOf(double a, double b) {
    return std::max(a, b);
}

class RegroupedRows final : public Rows {
  public:
    RegroupedRows(RowsPtr old, std::shared_ptr<const Plan> plan, ValueType type)
        : Rows(plan->sources.size(), plan->newLocations, missingValue(type)),
          old_(std::move(old)),
          plan_(std::move(plan)),
          combine_(type == ValueType::MinDouble   ? smallerOf
                   : type == ValueType::MaxDouble ? largerOf
                                                  : sumOf) {}

    bool hasRow(CallPathId path) const override {
        if (path.index() >= callPaths()) return false;
        const auto& sources = plan_->sources[path.index()];
        return std::ranges::any_of(sources, [this](CallPathId old) { return old_->hasRow(old); });
    }
    bool isFar() const override { return old_->isFar(); }

    std::span<const double> row(CallPathId path, std::span<double> scratch) const override {
        if (!hasRow(path)) return {};
        const auto result = scratch.first(locations());
        std::ranges::fill(result, missing());
        const auto memory = std::make_unique_for_overwrite<double[]>(old_->locations());
        for (const CallPathId old : plan_->sources[path.index()]) {
            const auto values = old_->row(old, {memory.get(), old_->locations()});
            for (std::size_t at = 0; at < values.size(); ++at) {
                double& target = result[plan_->locations[at].index()];
                target = combine_(target, values[at]);
            }
        }
        return result;
    }

    std::optional<StoredRow> storedRow(CallPathId path, std::string& scratch) const override {
        if (!plan_->sameLocations || path.index() >= callPaths()) return std::nullopt;
        const auto& sources = plan_->sources[path.index()];
        const auto has = [this](CallPathId old) { return old_->hasRow(old); };
        const auto one = std::ranges::find_if(sources, has);
        if (one == sources.end() || std::any_of(one + 1, sources.end(), has)) return std::nullopt;
        return old_->storedRow(*one, scratch);
    }

  private:
    RowsPtr old_;
    std::shared_ptr<const Plan> plan_;
    double (*combine_)(double, double);
};

bool keepsEverything(const Regrouping& plan) {
    if (plan.callPaths.size() != plan.callTree.size() ||
        plan.locations.size() != plan.system.locations.size())
        return false;
    for (std::size_t at = 0; at < plan.callPaths.size(); ++at)
        if (plan.callPaths[at] != CallPathId(at)) return false;
    for (std::size_t at = 0; at < plan.locations.size(); ++at)
        if (plan.locations[at] != LocationId(at)) return false;
    return true;
}

}  // namespace

Regrouping unchanged(const Experiment& experiment) {
    Regrouping same{experiment.callTree, experiment.system, {}, {}};
    for (const CallPathId path : experiment.callTree.ids()) same.callPaths.emplace_back(path);
    for (std::size_t at = 0; at < experiment.system.locations.size(); ++at) same.locations.emplace_back(at);
    return same;
}

Experiment regroup(Experiment experiment, Regrouping regrouping) {
    const bool same = keepsEverything(regrouping);
    const auto plan = same ? nullptr : std::make_shared<const Plan>(regrouping);
    experiment.callTree = std::move(regrouping.callTree);
    const SystemTree system = std::exchange(experiment.system, std::move(regrouping.system));
    if (same) return experiment;
    if (!plan->sameLocations) regroupCommunication(experiment, system, plan->locations);
    experiment.compoundValues.clear();
    const Severities old = std::exchange(experiment.severities, {});
    for (const MetricId id : experiment.metrics.ids()) {
        const ValueType type = experiment.metrics[id].valueType;
        widen(experiment.metrics[id]);
        if (!old.has(id)) continue;
        experiment.severities.setRows(id, [source = old.source(id), plan, type] {
            return std::make_shared<RegroupedRows>(source(), plan, type);
        });
    }
    return experiment;
}

}  // namespace holos::algebra
