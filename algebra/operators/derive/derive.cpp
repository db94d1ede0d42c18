// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/derive/derive.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "algebra/model/experiment.h"
#include "algebra/model/structure.h"
#include "algebra/operators/derive/scopes.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/recorded_run.h"
#include "algebra/operators/unite/unite.h"
#include "metric-specs/formula.h"
#include "metric-specs/hierarchy.h"
#include "metric-specs/library.h"
#include "metric-specs/problems.h"
#include "metric-specs/specification.h"

namespace holos::algebra {
namespace {

using specs::Formula;
using specs::Step;

bool usesNone(const Formula& formula, std::initializer_list<Step::Kind> kinds) {
    return std::ranges::none_of(formula.steps, [kinds](const Step& step) {
        return std::ranges::find(kinds, step.kind) != kinds.end();
    });
}

class FormulaRows final : public Rows {
  public:
    FormulaRows(std::size_t callPaths, std::size_t locations, const Formula& formula,
                const std::vector<RowSource>& terms)
        : Rows(callPaths, locations, 0.0), formula_(formula) {
        for (const RowSource& term : terms) terms_.push_back(term());
    }

    bool hasRow(CallPathId path) const override {
        return std::ranges::any_of(terms_, [path](const RowsPtr& term) { return term->hasRow(path); });
    }
    bool isFar() const override {
        return std::ranges::any_of(terms_, [](const RowsPtr& term) { return term->isFar(); });
    }

    std::span<const double> row(CallPathId path, std::span<double> scratch) const override {
        if (!hasRow(path)) return {};
        std::vector<double> memory(terms_.size() * locations());
        std::vector<std::span<const double>> operands;
        for (const RowsPtr& term : terms_)
            operands.push_back(
                term->row(path, std::span(memory).subspan(operands.size() * locations(), locations())));
        const auto result = scratch.first(locations());
        specs::evaluate(formula_, operands, result);
        return result;
    }

  private:
    Formula formula_;
    std::vector<RowsPtr> terms_;
};

class RestRows final : public Rows {
  public:
    RestRows(RowsPtr part, RowsPtr whole, std::vector<RowsPtr> others)
        : Rows(part->callPaths(), part->locations(), 0.0),
          part_(std::move(part)),
          whole_(std::move(whole)),
          others_(std::move(others)) {}

    bool hasRow(CallPathId path) const override { return part_->hasRow(path) && whole_->hasRow(path); }
    bool isFar() const override {
        return part_->isFar() || whole_->isFar() ||
               std::ranges::any_of(others_, [](const RowsPtr& other) { return other->isFar(); });
    }

    std::span<const double> row(CallPathId path, std::span<double> scratch) const override {
        if (!hasRow(path)) return {};
        std::vector<double> memory(locations());
        std::vector<double> rest(locations());
        std::copy_n(whole_->row(path, memory).begin(), locations(), rest.begin());
        for (const RowsPtr& other : others_) {
            const auto values = other->row(path, memory);
            for (std::size_t at = 0; at < values.size(); ++at) rest[at] -= values[at];
        }
        const auto values = part_->row(path, memory);
        const auto result = scratch.first(locations());
        for (std::size_t at = 0; at < result.size(); ++at)
            result[at] = std::clamp(values[at], 0.0, std::max(rest[at], 0.0));
        return result;
    }

  private:
    RowsPtr part_;
    RowsPtr whole_;
    std::vector<RowsPtr> others_;
};

/// Values of `part`, as far as they fit into what `others` leave of `whole`: at least 0 and at most that.
/// Where `whole` has no row there are none.
RowSource atMostTheRest(const RowSource& part, const RowSource& whole, std::vector<RowSource> others) {
    return [part, whole, others = std::move(others)] {
        std::vector<RowsPtr> open;
        for (const RowSource& other : others) open.push_back(other());
        return std::make_shared<RestRows>(part(), whole(), std::move(open));
    };
}

/// The formula's value for every call path and location where one of its terms has a row; `terms[i]` is the
/// metric of `formula.terms[i]`.
RowSource evaluateRows(const Experiment& experiment, const Formula& formula,
                       const std::vector<MetricId>& terms) {
    std::vector<RowSource> sources;
    sources.reserve(terms.size());
    for (const MetricId term : terms) {
        // A term that is itself evaluated would be so again for each metric above it.
        if (experiment.metrics[term].origin != Origin::Measured) experiment.severities.table(term);
        sources.push_back(experiment.severities.source(term));
    }
    return
        [sources, formula, paths = experiment.callTree.size(), width = experiment.system.locations.size()] {
            return std::make_shared<FormulaRows>(paths, width, formula, sources);
        };
}

/// True when the formula only adds and subtracts terms, so that they all have one unit.
bool addsOnly(const Formula& formula) {
    return usesNone(formula, {Step::Kind::Multiply, Step::Kind::Divide, Step::Kind::Number});
}

/// True when whole terms give a whole value.
bool isIntegerFormula(const Formula& formula) {
    return usesNone(formula, {Step::Kind::Divide}) &&
           std::ranges::all_of(formula.steps, [](const Step& step) {
               return step.kind != Step::Kind::Number || std::nearbyint(step.number) == step.number;
           });
}

/// The quotient as a CubePL program over metrics of these unique names, by term: undefined (the square root
/// of a negative number) where the denominator is 0, or smaller than `minimum` when that is not 0.
std::string cubeplOf(Formula numerator, const std::vector<std::string>& numeratorNames, Formula denominator,
                     const std::vector<std::string>& denominatorNames, double minimum) {
    for (std::size_t i = 0; i < numeratorNames.size(); ++i)
        numerator.terms[i] = "metric::" + numeratorNames[i] + "()";
    for (std::size_t i = 0; i < denominatorNames.size(); ++i)
        denominator.terms[i] = "metric::" + denominatorNames[i] + "()";
    const std::string enough = minimum == 0.0 ? "${whole} != 0" : "${whole} >= " + specs::exactText(minimum);
    return "{ ${whole} = " + specs::formulaText(denominator) + "; ${value} = sqrt(-1); if (" + enough +
           ") { ${value} = ( " + specs::formulaText(numerator) + " ) / ${whole}; }; return ${value}; }";
}

using specs::Hierarchy;
using specs::HierarchyNode;
using specs::State;

/// Builds the experiment anew around its metrics: those of the trace first, then the specification's.
class Deriver {
  public:
    Deriver(Experiment experiment, const specs::Specification& specification)
        : view_(measurements(experiment)), result_(std::move(experiment)) {
        std::swap(old_, result_.severities);
        std::swap(oldCompounds_, result_.compoundValues);
        hierarchy_ = specs::resolve(specification, namesOfMeasurements(), processorOf(result_).hertz);
        ids_.resize(hierarchy_.nodes.size());
        sources_.resize(hierarchy_.nodes.size());
    }

    Experiment run() {
        result_.metrics = {};
        chooseSources();
        for (const MetricId root : view_.metrics.roots())
            if (!moves_.contains(root)) addTree(root, std::nullopt, nodeOf(root));
        for (std::size_t i = 0; i < hierarchy_.nodes.size(); ++i) addNode(i);
        for (const std::size_t i : copies_) copyNode(i);
        for (const std::size_t i : hierarchy_.evaluationOrder)
            if (ids_[i]) evaluateNode(i);
        return std::move(result_);
    }

  private:
    std::vector<std::string> namesOfMeasurements() {
        std::vector<std::string> names;
        for (const MetricId id : view_.metrics.ids()) {
            const Metric& metric = view_.metrics[id];
            const bool adds = metric.valueType != ValueType::MinDouble &&
                              metric.valueType != ValueType::MaxDouble &&
                              metric.valueType != ValueType::Compound;
            if (!metric.hasValues() || metric.isVoid || !adds) continue;
            std::string name = eventName(metric);
            if (measured_.emplace(name, id).second) names.push_back(std::move(name));
        }
        return names;
    }

    /// Which measurement a node shows: the first node of an event has it, others get copies.
    void chooseSources() {
        for (std::size_t i = 0; i < hierarchy_.nodes.size(); ++i) {
            const HierarchyNode& node = hierarchy_.nodes[i];
            if (node.state != State::Measured) continue;
            const MetricId source = measured_.at(node.event);
            if (!shownBy_.emplace(source, i).second) continue;
            sources_[i] = source;
            if (node.parent && !view_.metrics.parent(source)) moves_.insert(source);
        }
    }

    const HierarchyNode* nodeOf(MetricId source) const {
        const auto found = shownBy_.find(source);
        return found == shownBy_.end() ? nullptr : &hierarchy_.nodes[found->second];
    }

    /// Adds a measured metric with the measured metrics below it.
    void addTree(MetricId root, std::optional<MetricId> parent, const HierarchyNode* node) {
        std::unordered_map<MetricId, MetricId> added;
        for (const MetricId id : view_.metrics.subtree(root)) {
            Metric metric = view_.metrics[id];
            if (id == root && node != nullptr) present(metric, *node);
            const auto above = id == root ? parent : std::optional(added.at(*view_.metrics.parent(id)));
            const MetricId place = result_.metrics.add(std::move(metric), above);
            added.emplace(id, place);
            takeValues(id, place);
            if (const auto shown = shownBy_.find(id); shown != shownBy_.end()) ids_[shown->second] = place;
        }
    }

    static void present(Metric& metric, const HierarchyNode& node) {
        if (node.parent || node.name != node.event)
            setAttribute(metric.attributes, kEventAttribute, node.event);
        metric.displayName = node.name == node.event ? metric.displayName : node.name;
        if (!node.unit.empty()) metric.unit = node.unit;
        if (!node.description.empty()) metric.description = node.description;
    }

    /// Moves a table to its new id, without loading it unless its counter is shared.
    void takeValues(MetricId measured, MetricId place) {
        const MetricId source = view_.source[measured.index()];
        if (const auto found = oldCompounds_.find(source); found != oldCompounds_.end())
            result_.compoundValues.emplace(place, found->second);
        if (!old_.has(source)) return;
        const HierarchyNode* const node = nodeOf(measured);
        // What is attributed is divided already: all of its values count.
        const bool isShared =
            node != nullptr && !attribute(view_.metrics[measured].attributes, kAttributedAttribute);
        const auto scope = isShared ? node->scope : specs::Scope::Thread;
        const RowSource rows = old_.source(source);
        result_.severities.setRows(
            place, scope == specs::Scope::Thread ? rows : oncePerScope(result_.system, scope, rows));
    }

    void addNode(std::size_t i) {
        const HierarchyNode& node = hierarchy_.nodes[i];
        if (node.state == State::Unavailable || ids_[i]) return;
        const auto parent = node.parent ? ids_[*node.parent] : result_.findMetric(node.within);
        if (sources_[i]) return addTree(*sources_[i], parent, &node);
        if (node.state == State::Ratio) return addRatio(i);
        ids_[i] = result_.metrics.add(describe(node), parent);
        if (node.state == State::Measured) copies_.push_back(i);
    }

    /// Its terms stand before it and have their names.
    void addRatio(std::size_t i) {
        const HierarchyNode& node = hierarchy_.nodes[i];
        Metric metric = describe(node);
        metric.origin = Origin::Ratio;
        metric.storage = Storage::PostDerived;
        metric.expression = cubeplOf(node.formula, uniqueNames(node.formula), node.denominator,
                                     uniqueNames(node.denominator), node.minimum);
        ids_[i] = result_.metrics.add(std::move(metric), std::nullopt);
    }

    std::vector<std::string> uniqueNames(const specs::Formula& formula) {
        std::vector<std::string> names;
        for (const std::string& term : formula.terms)
            names.push_back(result_.metrics[metricOf(term)].uniqueName);
        return names;
    }

    Metric describe(const HierarchyNode& node) {
        Metric metric;
        metric.uniqueName = unusedName(safeUniqueName(node.name));
        metric.displayName = (node.incomplete ? "~" : "") + node.name;
        metric.unit = node.unit;
        metric.description = node.description.empty() ? definitionOf(node) : node.description;
        metric.origin = node.state == State::Computed ? Origin::Computed : Origin::Composed;
        metric.incomplete = node.incomplete;
        return metric;
    }

    static std::string definitionOf(const HierarchyNode& node) {
        if (node.state == State::Measured) return node.name + " = " + node.event;
        if (node.state != State::Ratio) return node.name + " = " + specs::formulaText(node.formula);
        return node.name + " = ( " + specs::formulaText(node.formula) + " ) / ( " +
               specs::formulaText(node.denominator) + " )";
    }

    std::string unusedName(const std::string& name) {
        if (names_.empty())
            for (const MetricId id : view_.metrics.ids()) names_.insert(view_.metrics[id].uniqueName);
        std::string unused = name;
        for (int number = 2; !names_.insert(unused).second; ++number)
            unused = name + ':' + std::to_string(number);
        return unused;
    }

    /// A second metric of one measurement.
    void copyNode(std::size_t i) {
        const MetricId source = *ids_[shownBy_.at(measured_.at(hierarchy_.nodes[i].event))];
        Metric& metric = result_.metrics[*ids_[i]];
        metric.valueType = result_.metrics[source].valueType;
        if (metric.unit.empty()) metric.unit = result_.metrics[source].unit;
        result_.severities.setRows(*ids_[i], result_.severities.source(source));
    }

    void evaluateNode(std::size_t i) {
        const HierarchyNode& node = hierarchy_.nodes[i];
        std::vector<MetricId> terms;
        for (const std::string& name : node.formula.terms) terms.push_back(metricOf(name));
        Metric& metric = result_.metrics[*ids_[i]];
        metric.valueType = typeOf(node.formula, terms);
        if (metric.unit.empty() && addsOnly(node.formula)) metric.unit = result_.metrics[terms.front()].unit;
        const RowSource rows = evaluateRows(result_, node.formula, terms);
        result_.severities.setRows(*ids_[i], node.within.empty() ? rows : withinParent(*ids_[i], rows));
    }

    /// What a metric can be a part of: that of its parent that no other part has. So stalls while the thread
    /// waits for a message, which is a part of the time already, do not count twice.
    RowSource withinParent(MetricId part, const RowSource& rows) const {
        const auto parent = result_.metrics.parent(part);
        if (!parent || !result_.severities.has(*parent)) return rows;
        std::vector<RowSource> others;
        for (const MetricId other : result_.metrics.children(*parent))
            if (other != part && result_.severities.has(other))
                others.push_back(result_.severities.source(other));
        return atMostTheRest(rows, result_.severities.source(*parent), std::move(others));
    }

    MetricId metricOf(const std::string& name) {
        if (positions_.empty())
            for (std::size_t i = 0; i < hierarchy_.nodes.size(); ++i)
                positions_.emplace(hierarchy_.nodes[i].name, i);
        const std::size_t position = positions_.at(name);
        return ids_[position].value();
    }

    ValueType typeOf(const specs::Formula& formula, const std::vector<MetricId>& terms) const {
        if (!isIntegerFormula(formula)) return ValueType::Double;
        ValueType type = result_.metrics[terms.front()].valueType;
        for (const MetricId term : terms) type = commonType(type, result_.metrics[term].valueType);
        if (!isIntegral(type)) return ValueType::Double;
        return isUnsigned(type) && addsOnly(formula) ? ValueType::UInt64 : ValueType::Int64;
    }

    MetricView view_;
    Experiment result_;
    Severities old_;
    std::map<MetricId, std::shared_ptr<const CompoundValues>> oldCompounds_;
    Hierarchy hierarchy_;
    std::unordered_map<std::string, MetricId> measured_;  ///< by event name: metric of the view
    std::unordered_map<MetricId, std::size_t> shownBy_;   ///< by metric of the view: node
    std::unordered_set<MetricId> moves_;                  ///< metrics of the view that go below a composition
    std::vector<std::optional<MetricId>> sources_;        ///< by node: its metric of the view
    std::vector<std::optional<MetricId>> ids_;            ///< by node: its metric of the result
    std::vector<std::size_t> copies_;                     ///< nodes that show a measurement once more
    std::unordered_set<std::string> names_;
    std::unordered_map<std::string, std::size_t> positions_;
};

}  // namespace

Experiment derive(Experiment experiment, const specs::Specification& specification) {
    Experiment result = Deriver(std::move(experiment), specification).run();
    result.files[kSpecificationFile] = specification.text;
    return result;
}

namespace {

std::unordered_set<std::string> eventsOf(const Experiment& experiment) {
    std::unordered_set<std::string> events;
    const MetricView view = measurements(experiment);
    for (const MetricId id : view.metrics.roots())
        if (view.metrics[id].hasValues()) events.insert(eventName(view.metrics[id]));
    return events;
}

/// The platform file, if any; files of another kind that happen to lie in the folders are passed over.
std::optional<specs::Specification> loadPlatform(const std::string& name) {
    try {
        return specs::find(name);
    } catch (const specs::SpecificationError&) {
        return std::nullopt;
    }
}

std::ptrdiff_t countKnown(const specs::Specification& platform,
                          const std::unordered_set<std::string>& events) {
    const auto known = platform.events();
    return std::ranges::count_if(known, [&](const auto& each) { return events.contains(each); });
}

/// The first one for the processor, if it knows any of the events; otherwise the one that knows most. Each is
/// read once.
std::optional<specs::Specification> bestPlatform(const Experiment& experiment) {
    const auto events = eventsOf(experiment);
    const specs::Processor processor = processorOf(experiment);
    std::optional<specs::Specification> best;
    std::ptrdiff_t most = 0;
    bool isOwnKnown = false;
    for (const std::string& name : specs::platforms()) {
        auto platform = loadPlatform(name);
        if (!platform) continue;
        const auto count = countKnown(*platform, events);
        if (!isOwnKnown && platform->platform && platform->platform->matches(processor)) {
            isOwnKnown = true;
            if (count > 0) return platform;
        }
        if (count <= most) continue;
        most = count;
        best = std::move(platform);
    }
    return best;
}

}  // namespace

Experiment applySpecification(Experiment experiment, const std::string& choice) {
    if (choice == "none") return experiment;
    if (choice != "auto") return derive(std::move(experiment), specs::find(choice));
    const auto platform = bestPlatform(experiment);
    return platform ? derive(std::move(experiment), *platform) : std::move(experiment);
}

namespace {

std::unordered_set<std::string> incompleteMetrics(const Experiment& experiment) {
    std::unordered_set<std::string> names;
    for (const MetricId id : experiment.metrics.ids())
        if (experiment.metrics[id].incomplete) names.insert(specifiedName(experiment.metrics[id]));
    return names;
}

}  // namespace

Experiment deriveAgain(Experiment experiment) {
    const auto carried = experiment.files.find(kSpecificationFile);
    if (carried == experiment.files.end()) return experiment;
    const auto specification = specs::parse(carried->second, kSpecificationFile);
    const auto incomplete = incompleteMetrics(experiment);
    Experiment result = derive(std::move(experiment), specification);
    for (const MetricId id : result.metrics.ids()) {
        Metric& metric = result.metrics[id];
        if (metric.incomplete || !incomplete.contains(specifiedName(metric))) continue;
        metric.incomplete = true;
        metric.displayName.insert(0, 1, '~');
    }
    return result;
}

}  // namespace holos::algebra
