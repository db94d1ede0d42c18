// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/metric_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "algebra/model/rows.h"
#include "base/error.h"

namespace holos::algebra {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kLongestChain = 64;
/// Steps that each value of a result is worth: expressions are shorter, but for what they say of texts.
constexpr std::uint64_t kStepsPerValue = 200;
/// Finding a value and adding it to others, in values per step.
constexpr std::uint64_t kValuesPerStep = 4;
constexpr std::uint64_t kStepsPerCall = 100;
/// What is not tried again when it failed.
constexpr std::uint64_t kMuchWork = 10'000'000;
constexpr std::size_t kMostHalvings = 16;

/// Whether a metric's value is part of its parent's.
bool isPartOfParent(const Metric& metric) {
    return metric.origin != Origin::Ratio && metric.valueType != ValueType::MinDouble &&
           metric.valueType != ValueType::MaxDouble && metric.valueType != ValueType::Compound;
}

/// Empty where all values are missing.
std::span<const double> presentRow(const Rows& rows, CallPathId path, std::span<double> scratch) {
    if (path.index() >= rows.callPaths() || !rows.hasRow(path)) return {};
    const auto values = rows.row(path, scratch);
    return rows.allMissing(values) ? std::span<const double>() : values;
}

}  // namespace

class MetricValues::Nesting {
  public:
    Nesting(std::vector<MetricId>& open, MetricId metric) : open_(open) {
        if (std::ranges::find(open, metric) != open.end()) throw Error("the expression refers to itself");
        if (open.size() >= kLongestChain)
            throw Error("the expression refers to too long a chain of expressions");
        open.push_back(metric);
    }
    Nesting(Nesting&&) = delete;
    ~Nesting() { open_.pop_back(); }

  private:
    std::vector<MetricId>& open_;
};

struct MetricValues::Shared {
    cubepl::Budget budget;
    std::map<MetricId, cubepl::Program> programs;
    std::map<std::pair<MetricId, Extent>, SeverityTable> tables;
    std::map<MetricId, std::shared_ptr<const SeverityTable>> large;  ///< stored ones, as long as the query
};

MetricValues::MetricValues(const Experiment& experiment, Selection selection)
    : experiment_(experiment), shared_(std::make_shared<Shared>()), facts_(experiment, shared_->budget) {
    selections_.emplace(Variant::AsAsked, std::move(selection));
    startQuery();
}

MetricValues::MetricValues(const Experiment& experiment, Selection selection, const MetricValues& caller)
    : experiment_(experiment),
      shared_(caller.shared_),
      isCalled_(true),
      facts_(experiment, shared_->budget),
      evaluating_(caller.evaluating_) {
    selections_.emplace(Variant::AsAsked, std::move(selection));
}

/// Each metric that failed at great cost leaves half as much for the next one: a file of many such metrics
/// costs little more than one of them.
void MetricValues::startQuery() {
    cubepl::Limits limits;
    limits.work >>= std::min<std::size_t>(experiment_.failures.size(), kMostHalvings);
    shared_->budget = cubepl::Budget(limits);
}

const SeverityTable& MetricValues::everywhere(MetricId metric, Extent callExtent) {
    startQuery();
    return table(metric, callExtent);
}

/// An action of an evaluation. What fails at great cost is remembered, by the metric that had most of the
/// cost.
template <class Action>
auto MetricValues::nested(MetricId metric, Action action) {
    if (const auto known = experiment_.failures.of(metric)) throw Error(*known);
    const Nesting nesting(evaluating_, metric);
    const cubepl::Budget& budget = shared_->budget;
    const std::uint64_t before = budget.spent(), left = budget.left();
    const auto remember = [&](const std::string& why) {
        const std::uint64_t cost = budget.spent() - before;
        if (cost >= kMuchWork || cost > left / 2) experiment_.failures.add(metric, why);
    };
    try {
        return action();
    } catch (const cubepl::Exhausted& error) {
        const std::string why =
            "the expression of \"" + experiment_.metrics[metric].uniqueName + "\" " + error.what();
        remember(why);
        throw Error(why);
    } catch (const Error& error) {
        remember(error.what());
        throw;
    }
}

std::vector<double> MetricValues::values(MetricChoice choice) {
    startQuery();
    std::vector<double> found = inclusiveOf(choice.metric, Variant::AsAsked);
    if (choice.extent == Extent::Inclusive || isVoid(choice.metric) ||
        !isPartOfParent(experiment_.metrics[choice.metric]))
        return found;
    for (const MetricId child : experiment_.metrics.children(choice.metric)) {
        if (isVoid(child) || !isPartOfParent(experiment_.metrics[child])) continue;
        const auto& part = inclusiveOf(child, Variant::AsAsked);
        // A part that is not known cannot be taken away.
        std::transform(found.begin(), found.end(), part.begin(), found.begin(),
                       [](double whole, double known) { return std::isnan(known) ? whole : whole - known; });
    }
    return found;
}

const std::vector<double>& MetricValues::inclusiveOf(MetricId metric, Variant variant) {
    const auto key = std::pair(metric, variant);
    if (const auto known = reduced_.find(key); known != reduced_.end()) return known->second;
    std::vector<double> found;
    if (evaluating_.empty()) {
        try {
            found = compute(metric, variant);
        } catch (const Error& error) {
            if (experiment_.metrics[metric].hasValues()) throw;  // a damaged file
            failures_.emplace(metric, error.what());
            found.assign(selection(variant).lanes(experiment_), kUndefined);
        }
    } else {
        found = compute(metric, variant);
    }
    return reduced_.emplace(key, std::move(found)).first->second;
}

std::vector<double> MetricValues::compute(MetricId id, Variant variant) {
    const Metric& metric = experiment_.metrics[id];
    const Selection& asked = selection(variant);
    // An expression may use a metric that is not to be shown.
    const bool hidden = isVoid(id) && evaluating_.empty();
    if (hidden || metric.valueType == ValueType::Compound) {
        failures_.emplace(id,
                          hidden ? "it has no value of its own" : "its values consist of several numbers");
        return std::vector<double>(asked.lanes(experiment_), kUndefined);
    }
    if (metric.storage == Storage::PostDerived)
        return nested(id, [&] { return evaluateReduced(id, variant); });
    if (isCalled_) spendOnReduction(asked);
    if (metric.hasValues()) return reduceStored(id, asked, experiment_);
    return reduce(table(id, Extent::Exclusive), metric.valueType, asked, experiment_);
}

const Selection& MetricValues::selection(Variant variant) {
    if (const auto known = selections_.find(variant); known != selections_.end()) return known->second;
    const Selection& asked = selections_.at(Variant::AsAsked);
    Selection found;
    if (variant != Variant::Whole)
        found = asked.with(variant == Variant::Inclusive ? Extent::Inclusive : Extent::Exclusive,
                           experiment_.callTree);
    return selections_.emplace(variant, std::move(found)).first->second;
}

std::vector<double> MetricValues::evaluateReduced(MetricId metric, Variant variant) {
    const cubepl::Program& what = program(metric);
    std::vector<std::vector<double>> operands;
    for (const cubepl::Reference& reference : what.references) {
        const auto operand = reference.called ? std::nullopt : experiment_.findMetric(reference.name);
        Variant of = variant;
        if (reference.fixed)
            of = Variant::Whole;
        else if (variant != Variant::Whole && reference.flavour != cubepl::Flavour::AsContext)
            of = reference.flavour == cubepl::Flavour::Inclusive ? Variant::Inclusive : Variant::Exclusive;
        operands.push_back(operand ? inclusiveOf(*operand, of) : std::vector<double>{0.0});
    }
    const Selection& asked = selection(variant);
    cubepl::Inputs in = inputs(metric, operands);
    std::vector<double> found(asked.lanes(experiment_));
    if (const auto& paths = asked.paths.given(); paths.size() == 1) facts_.setCallPath(paths.front().path);
    for (in.lane = 0; in.lane < found.size(); ++in.lane) {
        if (asked.by == Selection::By::CallPath) facts_.setCallPath(CallPathId(in.lane));
        if (asked.by == Selection::By::Location) facts_.setLocation(LocationId(in.lane));
        found[in.lane] = evaluate(what, in);
    }
    return found;
}

const SeverityTable& MetricValues::table(MetricId id, Extent callExtent) {
    const Metric& metric = experiment_.metrics[id];
    if (metric.hasValues() && callExtent == Extent::Exclusive) return storedTable(id);
    const auto key = std::pair(id, callExtent);
    auto& tables = shared_->tables;
    if (const auto known = tables.find(key); known != tables.end()) return known->second;
    return tables.emplace(key, computeTable(id, callExtent)).first->second;
}

/// A large one goes with this object.
const SeverityTable& MetricValues::storedTable(MetricId id) {
    if (const SeverityTable* small = experiment_.severities.tableIfSmall(id)) return *small;
    auto& table = shared_->large[id];
    if (!table) table = experiment_.severities.opened(id)->table();
    return *table;
}

SeverityTable MetricValues::computeTable(MetricId id, Extent callExtent) {
    const Storage storage = experiment_.metrics[id].storage;
    const auto evaluated = [&](Extent extent) {
        return nested(id, [&] { return evaluateTable(id, extent); });
    };
    if (storage == Storage::PostDerived) return evaluated(callExtent);
    const bool inclusive = callExtent == Extent::Inclusive;
    if (storage == Storage::PreDerivedInclusive) {
        SeverityTable found = evaluated(Extent::Inclusive);
        if (!inclusive) makeExclusive(found, parentsOf(experiment_.callTree));
        return found;
    }
    SeverityTable found =
        storage == Storage::PreDerivedExclusive ? evaluated(Extent::Exclusive) : storedTable(id);
    if (inclusive && found.callPaths() > 0) makeInclusive(found, parentsOf(experiment_.callTree));
    return found;
}

/// Of stored values only some rows are in memory.
RowsPtr MetricValues::rows(MetricId id, Extent callExtent) {
    if (experiment_.metrics[id].hasValues() && callExtent == Extent::Exclusive)
        return experiment_.severities.opened(id);
    return rowsOf(std::shared_ptr<const SeverityTable>(std::shared_ptr<void>(), &table(id, callExtent)));
}

SeverityTable MetricValues::evaluateTable(MetricId metric, Extent callExtent) {
    const cubepl::Program& what = program(metric);
    std::vector<RowsPtr> sources;
    std::vector<std::vector<double>> operands;
    for (const auto& [name, flavour, fixed, called, everywhere] : what.references) {
        const auto operand = called ? std::nullopt : experiment_.findMetric(name);
        const Extent extent = flavour == cubepl::Flavour::AsContext   ? callExtent
                              : flavour == cubepl::Flavour::Inclusive ? Extent::Inclusive
                                                                      : Extent::Exclusive;
        sources.push_back(operand && !fixed ? rows(*operand, extent) : nullptr);
        operands.push_back(operand && fixed ? inclusiveOf(*operand, Variant::Whole)
                                            : std::vector<double>{0.0});
    }
    cubepl::Inputs in = inputs(metric, operands);
    SeverityTable found = experiment_.newTable();
    std::vector<double> scratch(found.locations());
    const bool dependsOnLocation =
        what.dependsOnLocation ||
        std::ranges::any_of(what.references, [](const auto& reference) { return reference.called; });
    for (const CallPathId path : experiment_.callTree.ids()) {
        bool uniform = !dependsOnLocation;  // no operand has values here: all locations are alike
        for (std::size_t at = 0; at < sources.size(); ++at) {
            if (sources[at] == nullptr) continue;
            const auto row = presentRow(*sources[at], path, scratch);
            const bool single = row.empty() || what.references[at].everywhere;
            operands[at].assign(row.begin(), row.end());
            if (single) operands[at].assign(1, std::accumulate(row.begin(), row.end(), 0.0));
            uniform = uniform && single;
        }
        facts_.setCallPath(path);
        facts_.setLocation(LocationId(0));
        in.lane = 0;
        const double first = found.locations() == 0 ? 0.0 : evaluate(what, in);
        if (uniform && first == 0.0) continue;
        for (double& value : found.editRow(path)) {
            facts_.setLocation(LocationId(in.lane));
            value = uniform ? first : evaluate(what, in);
            ++in.lane;
        }
    }
    return found;
}

const cubepl::Program& MetricValues::program(MetricId id) {
    auto& programs = shared_->programs;
    if (const auto known = programs.find(id); known != programs.end()) return known->second;
    const Metric& metric = experiment_.metrics[id];
    if (!metric.aggregations.empty()) throw Error("aggregation by expressions is not supported");
    return programs.emplace(id, cubepl::parse(metric.expression)).first->second;
}

double MetricValues::evaluate(const cubepl::Program& what, const cubepl::Inputs& in) {
    if (!isCalled_) shared_->budget.allow(kStepsPerValue);
    return cubepl::evaluate(what, in);
}

/// Of one call path, with what it calls where that is asked for.
void MetricValues::spendOnReduction(const Selection& asked) {
    std::uint64_t rows = asked.paths.isAll() ? experiment_.callTree.size() : 0;
    std::vector<CallPathId> open;
    for (const CallPathChoice& choice : asked.paths.given()) open.push_back(choice.path);
    const bool withCallees = !open.empty() && asked.paths.given().front().extent == Extent::Inclusive;
    for (; !open.empty(); ++rows) {
        const CallPathId at = open.back();
        open.pop_back();
        if (!withCallees) continue;
        const auto& callees = experiment_.callTree.children(at);
        open.insert(open.end(), callees.begin(), callees.end());
    }
    const std::size_t locations = asked.locations.countOf(experiment_.system.locations.size());
    shared_->budget.spend((experiment_.callTree.size() + rows * locations) / kValuesPerStep);
}

double MetricValues::valueAt(const cubepl::Reference& reference, CallPathId path) {
    shared_->budget.spend(kStepsPerCall + experiment_.metrics.size());
    const auto metric = experiment_.findMetric(reference.name);
    if (!metric) return 0.0;
    const Extent extent =
        reference.flavour == cubepl::Flavour::Exclusive ? Extent::Exclusive : Extent::Inclusive;
    Selection there{.paths = {CallPathChoice{path, extent}},
                    .locations = selection(Variant::AsAsked).locations};
    if (const auto location = facts_.location()) there.locations = ChosenLocations{*location};
    MetricValues values(experiment_, std::move(there), *this);
    return values.inclusiveOf(*metric, Variant::AsAsked).front();
}

const Initialisation& MetricValues::initialisation() const {
    return experiment_.initialisation.get([this] { return initialise(experiment_); });
}

bool MetricValues::isVoid(MetricId metric) const {
    return experiment_.metrics[metric].isVoid || initialisation().madeVoid.contains(metric);
}

cubepl::Inputs MetricValues::inputs(MetricId metric, const std::vector<std::vector<double>>& operands) {
    cubepl::Inputs in{.operands = operands, .facts = &facts_, .budget = &shared_->budget};
    if (program(metric).usesVariables) {
        if (const auto own = initialisation().own.find(metric); own != initialisation().own.end())
            in.given[0] = &own->second;
        in.given[1] = &initialisation().shared;
        // Variables that are not there count as zero, which would pass for a result.
        for (const auto& [failed, why] : initialisation().failures)
            throw Error("the initialisation of \"" + experiment_.metrics[failed].uniqueName +
                        "\" cannot be evaluated: " + why);
    }
    facts_.setMetric(metric);
    facts_.setCallPath(std::nullopt);
    facts_.setLocation(std::nullopt);
    facts_.setValueAt(
        [this](const cubepl::Reference& reference, CallPathId path) { return valueAt(reference, path); });
    return in;
}

bool isAnsweredQuickly(const Experiment& experiment, MetricChoice choice, const Selection& selection) {
    std::vector<MetricId> open{choice.metric};
    if (choice.extent == Extent::Exclusive)
        for (const MetricId child : experiment.metrics.children(choice.metric)) open.push_back(child);
    std::vector<bool> isSeen(experiment.metrics.size(), false);
    while (!open.empty()) {
        const MetricId id = open.back();
        open.pop_back();
        if (isSeen[id.index()]) continue;
        isSeen[id.index()] = true;
        const Metric& metric = experiment.metrics[id];
        if (metric.valueType == ValueType::Compound || metric.isVoid) continue;
        try {
            if (metric.hasValues()) {
                if (!isReducedQuickly(id, selection, experiment)) return false;
                continue;
            }
            for (const cubepl::Reference& reference : cubepl::parse(metric.expression).references)
                if (const auto operand = experiment.findMetric(reference.name)) open.push_back(*operand);
        } catch (const Error&) {  // what has no value, or cannot be read, says so at once
        }
    }
    return true;
}

}  // namespace holos::algebra
