// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/plain.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "algebra/model/metric_values.h"
#include "algebra/model/queries.h"
#include "algebra/operators/rows/regroup.h"

namespace holos::algebra {
namespace {

/// Rows of a call tree that has got one root above its own ones: it has no values, and each call path one
/// number more.
class RowsBelowRoot final : public Rows {
  public:
    explicit RowsBelowRoot(RowsPtr rows)
        : Rows(rows->callPaths() + 1, rows->locations(), rows->missing()), rows_(std::move(rows)) {}

    bool hasRow(CallPathId path) const override { return path.index() != 0 && rows_->hasRow(below(path)); }
    std::span<const double> row(CallPathId path, std::span<double> scratch) const override {
        return hasRow(path) ? rows_->row(below(path), scratch) : std::span<const double>();
    }
    std::optional<StoredRow> storedRow(CallPathId path, std::string& scratch) const override {
        return hasRow(path) ? rows_->storedRow(below(path), scratch) : std::nullopt;
    }
    bool isFar() const override { return rows_->isFar(); }

  private:
    static CallPathId below(CallPathId path) { return CallPathId(path.index() - 1); }

    RowsPtr rows_;
};

bool hasSeveralRoots(const Experiment& experiment) {
    const CallTree& tree = experiment.callTree;
    return std::ranges::count_if(tree.ids(), [&](CallPathId id) { return !tree.parent(id); }) > 1;
}

/// The call tree below one root, which stands for all that the run did.
void addRoot(Experiment& experiment) {
    Region all;
    all.name = all.mangledName = "PROGRAM";
    all.paradigm = "measurement";
    all.role = "artificial";
    CallPath root;
    root.region = RegionId(experiment.regions.size());
    experiment.regions.push_back(std::move(all));
    CallTree tree;
    const CallPathId top = tree.add(std::move(root));
    for (const CallPathId id : experiment.callTree.ids()) {
        const auto parent = experiment.callTree.parent(id);
        tree.add(experiment.callTree[id], parent ? CallPathId(parent->index() + 1) : top);
    }
    experiment.callTree = std::move(tree);
}

bool isKept(const Experiment& experiment, MetricId id, bool movesRows) {
    const Metric& metric = experiment.metrics[id];
    if (movesRows && metric.valueType == ValueType::Compound) return false;
    return metric.hasValues() || (metric.storage != Storage::PostDerived && !whyNotEvaluated(experiment, id));
}

/// Of the same name, with stored values.
Metric storedForm(Metric metric) {
    metric.storage = metric.storage == Storage::PreDerivedInclusive ? Storage::Inclusive : Storage::Exclusive;
    metric.expression.clear();
    metric.initialisation.clear();
    metric.aggregations.clear();
    metric.valueType = ValueType::Double;
    metric.typeName.clear();
    return metric;
}

}  // namespace

Plain plain(const Experiment& experiment) {
    Plain made{structureOf(experiment), {}, {}};
    made.experiment.metrics = {};
    made.experiment.compoundValues.clear();
    made.experiment.files.erase(kSpecificationFile);  // which would make the expressions again
    const bool needsRoot = hasSeveralRoots(experiment);
    if (needsRoot) addRoot(made.experiment);
    const auto add = [&](MetricId id, RowSource rows) {
        if (needsRoot) rows = [own = std::move(rows)] { return std::make_shared<RowsBelowRoot>(own()); };
        made.experiment.severities.setRows(id, std::move(rows));
    };
    MetricValues values(experiment, {});
    std::vector<std::optional<MetricId>> placeOf(experiment.metrics.size());
    for (const MetricId id : experiment.metrics.ids()) {
        const Metric& metric = experiment.metrics[id];
        if (!isKept(experiment, id, needsRoot)) {
            made.leftOut.push_back(metric.uniqueName);
            continue;
        }
        const auto above = experiment.metrics.parent(id);
        const auto parent = above ? placeOf[above->index()] : std::nullopt;
        const MetricId to =
            made.experiment.metrics.add(metric.hasValues() ? metric : storedForm(metric), parent);
        placeOf[id.index()] = to;
        if (const auto compound = experiment.compoundValues.find(id);
            compound != experiment.compoundValues.end())
            made.experiment.compoundValues.emplace(to, compound->second);
        if (metric.hasValues()) {
            if (experiment.severities.has(id)) add(to, experiment.severities.source(id));
            continue;
        }
        const Extent extent =
            metric.storage == Storage::PreDerivedInclusive ? Extent::Inclusive : Extent::Exclusive;
        const auto table = std::make_shared<const SeverityTable>(values.everywhere(id, extent));
        add(to, [table] { return rowsOf(table); });
        made.evaluated.push_back(metric.uniqueName);
    }
    return made;
}

}  // namespace holos::algebra
