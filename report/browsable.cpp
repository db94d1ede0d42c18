// SPDX-License-Identifier: BSD-3-Clause
// The data of the three panes, as serve/client/embedded.js reads them.
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "algebra/cubepl/syntax.h"
#include "algebra/model/call_names.h"
#include "algebra/operators/collapse.h"
#include "algebra/operators/rows/regroup.h"
#include "base/error.h"
#include "base/json.h"
#include "report/formats.h"

namespace holos::report {

using namespace algebra;
using nlohmann::json;

namespace {

/// What is smaller in parts of a metric's value is left over from subtracting the metrics below it.
constexpr double kRounding = 1e-12;
/// Extremes of nothing are the largest numbers that there are.
constexpr double kNoExtreme = 1e300;
/// What a system is added up to, by `CollapseTo`.
constexpr std::array kSums{"sums of processes", "sums of nodes", "sums of all threads"};

/// How values of parts make that of the whole. What has no way says so in the page, and shows no number.
enum class Way : std::uint8_t { Sum, Minimum, Maximum, Formula, None };
constexpr std::array kWays{"sum", "minimum", "maximum", "formula", "none"};

Way wayOf(const Metric& metric) {
    if (metric.isVoid) return Way::None;
    if (metric.storage == Storage::PostDerived && !metric.expression.empty()) return Way::Formula;
    if (!metric.hasValues() || metric.valueType == ValueType::Compound) return Way::None;
    if (metric.valueType == ValueType::MinDouble) return Way::Minimum;
    return metric.valueType == ValueType::MaxDouble ? Way::Maximum : Way::Sum;
}

/// Whether a metric's value is a part of that of the metric above it.
bool isPart(const Metric& metric) {
    return !metric.isVoid && metric.origin != Origin::Ratio && metric.valueType != ValueType::MinDouble &&
           metric.valueType != ValueType::MaxDouble && metric.valueType != ValueType::Compound;
}

const char* signOf(cubepl::Op op) {
    switch (op) {
        case cubepl::Op::Negate:
            return "negate";
        case cubepl::Op::Add:
            return "+";
        case cubepl::Op::Subtract:
            return "-";
        case cubepl::Op::Multiply:
            return "*";
        case cubepl::Op::Divide:
            return "/";
        default:
            return nullptr;
    }
}

/// A formula for a stack: numbers, metrics by their position, and signs. Only what is made of the metrics'
/// values at one place by arithmetic; nothing for others.
class Formula {
  public:
    Formula(const Experiment& experiment, const cubepl::Program& program)
        : experiment_(experiment), program_(program) {}

    json all() {
        const bool isSimple = !program_.nodes.empty() && !program_.usesVariables &&
                              program_.definitions.empty() && add(program_.nodes.back());
        return isSimple ? std::move(steps_) : json();
    }

  private:
    bool add(const cubepl::Node& node) {
        if (node.op == cubepl::Op::Number) {
            steps_.push_back(node.number);
            return true;
        }
        if (node.op == cubepl::Op::Operand) return addMetric(program_.references[node.index]);
        const char* sign = signOf(node.op);
        if (sign == nullptr) return false;
        for (const std::uint32_t operand : node.operands)
            if (!add(program_.nodes[operand])) return false;
        steps_.push_back(sign);
        return true;
    }
    bool addMetric(const cubepl::Reference& reference) {
        const auto metric = experiment_.findMetric(reference.name);
        if (!metric || reference != cubepl::Reference{.name = reference.name}) return false;
        steps_.push_back({{"metric", metric->index()}});
        return true;
    }

    const Experiment& experiment_;
    const cubepl::Program& program_;
    json steps_ = json::array();
};

json formulaOf(const Experiment& experiment, const Metric& metric) {
    if (!metric.initialisation.empty() || !metric.aggregations.empty()) return {};
    try {
        return Formula(experiment, cubepl::parse(metric.expression)).all();
    } catch (const Error&) {
        return {};
    }
}

/// Whether what a formula needs, needs the metric itself.
bool needsItself(const std::vector<json>& formulas, std::size_t metric) {
    std::vector<std::size_t> open{metric};
    std::vector<bool> isSeen(formulas.size());
    while (!open.empty()) {
        const std::size_t at = open.back();
        open.pop_back();
        for (const json& step : formulas[at]) {
            if (!step.is_object()) continue;
            const std::size_t term = step["metric"];
            if (term == metric) return true;
            if (!isSeen[term]) open.push_back(term);
            isSeen[term] = true;
        }
    }
    return false;
}

/// By metric; null where there is none that the page can evaluate.
std::vector<json> formulasOf(const Experiment& experiment) {
    std::vector<json> found;
    for (const MetricId id : experiment.metrics.ids()) {
        const Metric& metric = experiment.metrics[id];
        found.push_back(wayOf(metric) == Way::Formula ? formulaOf(experiment, metric) : json());
    }
    for (std::size_t at = 0; at < found.size(); ++at)
        if (needsItself(found, at)) found[at] = json();
    return found;
}

/// Why a metric has no values in the page.
const char* whyNone(const Metric& metric) {
    if (metric.isVoid) return "it has no value of its own";
    if (metric.valueType == ValueType::Compound) return "its values consist of several numbers";
    return "its formula is more than this page can evaluate; holos view shows its values";
}

int parentOf(const auto& forest, auto id) {
    const auto parent = forest.parent(id);
    return parent ? static_cast<int>(parent->index()) : -1;
}

json metricsOf(const Experiment& experiment) {
    json nodes = json::array();
    std::vector<json> formulas = formulasOf(experiment);
    for (const MetricId id : experiment.metrics.ids()) {
        const Metric& metric = experiment.metrics[id];
        Way way = wayOf(metric);
        json node{{"name", metric.displayName.empty() ? metric.uniqueName : metric.displayName},
                  {"uniqueName", metric.uniqueName},
                  {"parent", parentOf(experiment.metrics, id)},
                  {"unit", metric.unit},
                  {"description", metric.description}};
        if (metric.ghost) node["hidden"] = true;
        if (metric.incomplete) node["incomplete"] = true;
        if (!isPart(metric)) node["apart"] = true;
        if (json& formula = formulas[id.index()]; way == Way::Formula && !formula.is_null())
            node["formula"] = std::move(formula);
        else if (way == Way::Formula)
            way = Way::None;
        if (way == Way::None) node["why"] = whyNone(metric);
        node["way"] = kWays[static_cast<std::size_t>(way)];
        nodes.push_back(std::move(node));
    }
    return nodes;
}

json pathsOf(const Experiment& experiment) {
    json nodes = json::array();
    for (const CallPathId id : experiment.callTree.ids())
        nodes.push_back({{"name", callText(experiment, id)}, {"parent", parentOf(experiment.callTree, id)}});
    return nodes;
}

/// System nodes, processes and locations as one tree; `places` says which node a location is.
json systemOf(const SystemTree& system, json& places) {
    json nodes = json::array();
    for (const SystemNodeId id : system.nodes.ids())
        nodes.push_back({{"name", system.nodes[id].name}, {"parent", parentOf(system.nodes, id)}});
    const std::size_t processes = nodes.size();
    for (const Process& each : system.processes)
        nodes.push_back({{"name", each.name}, {"parent", each.node.index()}});
    for (const Location& each : system.locations) {
        places.push_back(nodes.size());
        nodes.push_back({{"name", each.name}, {"parent", processes + each.process.index()}});
    }
    return nodes;
}

/// The values that are not zero, and no more of them than the page is to have.
class Values {
  public:
    Values(const Experiment& experiment, std::size_t most) : experiment_(experiment), most_(most) {}

    /// By metric rows of a call path's number, then a location's number and its value, again and again; null
    /// where they are too many.
    json all() {
        json metrics = json::array();
        for (const MetricId metric : experiment_.metrics.ids()) {
            metrics.push_back(json::array());
            const Way way = wayOf(experiment_.metrics[metric]);
            if (way == Way::None || way == Way::Formula || !experiment_.severities.has(metric)) continue;
            addRows(metric, way, metrics.back());
            if (count_ > most_) return {};
        }
        return metrics;
    }

  private:
    /// One metric's rows, which pass by.
    struct Passing {
        RowsPtr rows;
        std::vector<double> scratch;

        std::span<const double> at(CallPathId path) {
            const bool isThere = path.index() < rows->callPaths() && rows->hasRow(path);
            return isThere ? rows->row(path, scratch) : std::span<const double>();
        }
    };
    Passing passing(MetricId metric) const {
        return {experiment_.severities.rows(metric),
                std::vector<double>(experiment_.system.locations.size())};
    }

    void addRows(MetricId metric, Way way, json& rows) {
        Passing all = passing(metric);
        std::vector<Passing> below;
        if (way == Way::Sum)
            for (const MetricId child : experiment_.metrics.children(metric))
                if (wayOf(experiment_.metrics[child]) == Way::Sum && isPart(experiment_.metrics[child]) &&
                    experiment_.severities.has(child))
                    below.push_back(passing(child));
        for (const CallPathId path : experiment_.callTree.ids()) {
            const std::span<const double> own = all.at(path);
            std::vector<std::span<const double>> parts;
            for (Passing& child : below) parts.push_back(child.at(path));
            if (own.empty() && below.empty()) continue;
            json row = json::array();
            for (std::size_t at = 0; at < experiment_.system.locations.size(); ++at)
                if (const double value = alone(own.empty() ? all.rows->missing() : own[at], parts, at);
                    isThere(value, way)) {
                    if (row.empty()) row.push_back(path.index());
                    row.push_back(at);
                    row.push_back(value);
                    ++count_;
                }
            if (!row.empty()) rows.push_back(std::move(row));
            if (count_ > most_) return;
        }
    }
    static bool isThere(double value, Way way) {
        return std::isfinite(value) && (way == Way::Sum ? value != 0.0 : std::fabs(value) < kNoExtreme);
    }
    /// Values are inclusive along metrics in the model; the page has them exclusive along all trees.
    static double alone(double inclusive, const std::vector<std::span<const double>>& parts, std::size_t at) {
        double value = inclusive;
        for (const std::span<const double> part : parts) value -= part.empty() ? 0.0 : part[at];
        return std::fabs(value) < kRounding * std::fabs(inclusive) ? 0.0 : value;
    }

    const Experiment& experiment_;
    std::size_t most_;
    std::size_t count_ = 0;
};

json contentsOf(const Experiment& experiment, std::size_t most) {
    json values = Values(experiment, most).all();
    if (values.is_null()) return {};
    json one{{"places", json::array()},
             {"metrics", metricsOf(experiment)},
             {"paths", pathsOf(experiment)},
             {"values", std::move(values)}};
    one["system"] = systemOf(experiment.system, one["places"]);
    return one;
}

/// With as much of the system as there is room for.
json oneOf(const Experiment& experiment, std::size_t most) {
    json one = contentsOf(experiment, most);
    for (const CollapseTo level : {CollapseTo::Processes, CollapseTo::Nodes, CollapseTo::One})
        if (one.is_null() && experiment.system.locations.size() > 1) {
            one = contentsOf(collapse(copyOf(experiment), level), most);
            if (!one.is_null()) one["sums"] = kSums[static_cast<std::size_t>(level)];
        }
    return one.is_null() ? json::object() : std::move(one);
}

}  // namespace

std::string browsableData(const Subjects& subjects, std::size_t most) {
    json all = json::array();
    for (std::size_t at = 0; at < subjects.size(); ++at) {
        json one = oneOf(subjects.experiment(at), most);
        one["name"] = subjects.name(at);
        all.push_back(std::move(one));
    }
    return jsonText(all);
}

}  // namespace holos::report
