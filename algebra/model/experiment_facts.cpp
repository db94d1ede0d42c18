// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/experiment_facts.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace holos::algebra {
namespace {

template <class Number>
cubepl::Value number(Number value) {
    return {static_cast<double>(value), std::nullopt};
}
/// -1 for a root.
template <class NodeId>
cubepl::Value parentId(std::optional<NodeId> parent) {
    return number(parent ? static_cast<double>(parent->index()) : -1.0);
}
/// Scalasca's name for a place that only fills the system tree.
bool isVoidName(const std::string& name) {
    return name.find("VOID") != std::string::npos;
}
cubepl::Value text(const std::string& value) {
    return {0.0, value};
}

}  // namespace

std::optional<cubepl::Value> ExperimentFacts::find(const std::string& name,
                                                   std::optional<std::size_t> index) const {
    constexpr std::string_view kCalculation = "calculation::";
    constexpr std::string_view kCount = "cube::#";
    const std::string_view whole = name;
    if (whole.starts_with(kCalculation)) return calculationFact(whole.substr(kCalculation.size()));
    if (whole.starts_with(kCount)) return count(whole.substr(kCount.size()));
    using Fact = std::optional<cubepl::Value> (ExperimentFacts::*)(std::string_view, std::size_t) const;
    constexpr std::pair<std::string_view, Fact> kFacts[] = {
        {"cube::metric::", &ExperimentFacts::metricFact},
        {"cube::callpath::", &ExperimentFacts::callPathFact},
        {"cube::region::", &ExperimentFacts::regionFact},
        {"cube::stn::", &ExperimentFacts::systemNodeFact},
        {"cube::locationgroup::", &ExperimentFacts::processFact},
        {"cube::location::", &ExperimentFacts::locationFact},
    };
    for (const auto& [prefix, fact] : kFacts)
        if (whole.starts_with(prefix)) return (this->*fact)(whole.substr(prefix.size()), index.value_or(0));
    return std::nullopt;
}

std::optional<cubepl::Value> ExperimentFacts::count(std::string_view name) const {
    const SystemTree& system = experiment_.system;
    const auto locations = [&](bool isVoid) {
        budget_.spend(system.locations.size());
        return number(std::ranges::count_if(
            system.locations, [&](const Location& it) { return isVoidName(it.name) == isVoid; }));
    };
    const auto processes = [&](bool isVoid) {
        budget_.spend(system.processes.size());
        return number(std::ranges::count_if(
            system.processes, [&](const Process& it) { return isVoidName(it.name) == isVoid; }));
    };
    if (name == "mirrors") return number(experiment_.mirrors.size());
    if (name == "metrics") return number(experiment_.metrics.size());
    if (name == "root::metrics") return number(experiment_.metrics.roots().size());
    if (name == "regions") return number(experiment_.regions.size());
    if (name == "callpaths") return number(experiment_.callTree.size());
    if (name == "root::callpaths") return number(experiment_.callTree.roots().size());
    if (name == "stns") return number(system.nodes.size());
    if (name == "rootstns") return number(system.nodes.roots().size());
    if (name == "locations" || name == "threads") return number(system.locations.size());
    if (name == "locationgroups" || name == "processes") return number(system.processes.size());
    if (name == "locations::void" || name == "threads::void") return locations(true);
    if (name == "locations::nonvoid" || name == "threads::nonvoid") return locations(false);
    if (name == "locationgroups::void" || name == "processes::void") return processes(true);
    if (name == "locationgroups::nonvoid" || name == "processes::nonvoid") return processes(false);
    return std::nullopt;
}

/// About the place of the evaluation; 0 and "" where that is not a single one, as for CUBE.
std::optional<cubepl::Value> ExperimentFacts::calculationFact(std::string_view name) const {
    const SystemTree& system = experiment_.system;
    if (name.starts_with("metric::")) return metricFact(name.substr(8), metric_.index());
    if (name == "callpath::id") return path_ ? std::optional(number(path_->index())) : std::nullopt;
    if (name.starts_with("callpath::"))
        return path_ ? callPathFact(name.substr(10), path_->index()) : std::nullopt;
    if (name == "region::id")
        return path_ ? std::optional(number(experiment_.callTree[*path_].region.index())) : std::nullopt;
    if (name.starts_with("region::"))
        return path_ ? regionFact(name.substr(8), experiment_.callTree[*path_].region.index()) : std::nullopt;
    if (name == "sysres::id") return number(location_ ? location_->index() : std::size_t{0});
    if (name == "sysres::kind") return text(location_ ? "THREAD" : "UNKNOWN");
    if (name == "sysres::name") return text(location_ ? system[*location_].name : std::string());
    if (name == "sysres::rank") return number(location_ ? system[*location_].rank : std::int64_t{0});
    if (name == "thread::void") return number(location_ && isVoidName(system[*location_].name));
    if (name == "process::void")
        return number(location_ && isVoidName(system[system[*location_].process].name));
    return std::nullopt;
}

std::optional<cubepl::Value> ExperimentFacts::metricFact(std::string_view name, std::size_t index) const {
    if (index >= experiment_.metrics.size()) return std::nullopt;
    const MetricId id(index);
    const Metric& metric = experiment_.metrics[id];
    if (name == "id") return number(index);
    if (name == "uniq::name") return text(metric.uniqueName);
    if (name == "disp::name") return text(metric.displayName);
    if (name == "url") return text(metric.url);
    if (name == "description") return text(metric.description);
    if (name == "uom") return text(metric.unit);
    if (name == "expression") return text(metric.expression);
    if (name == "initexpression") return text(metric.initialisation);
    if (name == "#children") return number(experiment_.metrics.children(id).size());
    if (name == "parent::id") return parentId(experiment_.metrics.parent(id));
    return std::nullopt;
}

std::optional<cubepl::Value> ExperimentFacts::systemNodeFact(std::string_view name, std::size_t index) const {
    const auto& nodes = experiment_.system.nodes;
    if (index >= nodes.size()) return std::nullopt;
    const SystemNodeId id(index);
    if (name == "name") return text(nodes[id].name);
    if (name == "description") return text(nodes[id].description);
    if (name == "class") return text(nodes[id].className);
    if (name == "#children") return number(nodes.children(id).size());
    if (name == "parent::id") return parentId(nodes.parent(id));
    return std::nullopt;
}

std::optional<cubepl::Value> ExperimentFacts::processFact(std::string_view name, std::size_t index) const {
    const SystemTree& system = experiment_.system;
    if (index >= system.processes.size()) return std::nullopt;
    const Process& process = system.processes[index];
    if (name == "name") return text(process.name);
    if (name == "rank") return number(process.rank);
    if (name == "void") return number(isVoidName(process.name));
    if (name == "parent::id") return number(process.node.index());
    if (name == "#locations") {
        budget_.spend(system.locations.size());
        return number(std::ranges::count_if(system.locations,
                                            [&](const Location& it) { return it.process.index() == index; }));
    }
    return std::nullopt;
}

std::optional<cubepl::Value> ExperimentFacts::locationFact(std::string_view name, std::size_t index) const {
    if (index >= experiment_.system.locations.size()) return std::nullopt;
    const Location& location = experiment_.system.locations[index];
    if (name == "name") return text(location.name);
    if (name == "rank") return number(location.rank);
    if (name == "void") return number(isVoidName(location.name));
    if (name == "parent::id") return number(location.process.index());
    return std::nullopt;
}

std::optional<double> ExperimentFacts::valueAt(const cubepl::Reference& reference, std::size_t callPath) {
    if (!valueAt_ || callPath >= experiment_.callTree.size()) return std::nullopt;
    return valueAt_(reference, CallPathId(callPath));
}

std::optional<std::string> ExperimentFacts::property(const std::string& metric,
                                                     const std::string& property) const {
    constexpr std::pair<std::string_view, std::string Metric::*> kProperties[] = {
        {"unique name", &Metric::uniqueName},
        {"display name", &Metric::displayName},
        {"uom", &Metric::unit},
        {"dtype", &Metric::typeName},
        {"url", &Metric::url},
        {"description", &Metric::description},
        {"expression", &Metric::expression},
    };
    budget_.spend(experiment_.metrics.size());
    const auto id = experiment_.findMetric(metric);
    if (!id) return std::nullopt;
    if (property == "value") return experiment_.metrics[*id].isVoid ? "VOID" : "";
    for (const auto& [name, field] : kProperties)
        if (name == property) return experiment_.metrics[*id].*field;
    return std::nullopt;
}

std::optional<cubepl::Value> ExperimentFacts::regionFact(std::string_view name, std::size_t index) const {
    if (index >= experiment_.regions.size()) return std::nullopt;
    const Region& region = experiment_.regions[index];
    if (name == "name") return text(region.name);
    if (name == "mangled::name") return text(region.mangledName);
    // Score-P 8 writes this, which CUBE does not know and takes for a variable that was never set.
    if (name == "mangled_name") return text({});
    if (name == "paradigm") return text(region.paradigm);
    if (name == "role") return text(region.role);
    if (name == "mod") return text(region.module);
    if (name == "url") return text(region.url);
    if (name == "description") return text(region.description);
    if (name == "begin::line") return number(region.beginLine);
    if (name == "end::line") return number(region.endLine);
    return std::nullopt;
}

std::optional<cubepl::Value> ExperimentFacts::callPathFact(std::string_view name, std::size_t index) const {
    if (index >= experiment_.callTree.size()) return std::nullopt;
    const CallPathId path(index);
    if (name == "calleeid") return number(experiment_.callTree[path].region.index());
    if (name == "line") return number(experiment_.callTree[path].line);
    if (name == "mod") return text(experiment_.callTree[path].module);
    if (name == "#children") return number(experiment_.callTree.children(path).size());
    if (name == "parent::id") return parentId(experiment_.callTree.parent(path));
    return std::nullopt;
}

namespace {

void initialiseMetric(const Experiment& experiment, MetricId id, cubepl::Budget& budget,
                      Initialisation& result) {
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
            initialiseMetric(experiment, id, budget, result);
        } catch (const Error& error) {
            result.failures.emplace(id, error.what());
        }
    }
    return result;
}

std::vector<char> pathsOfTasks(const Experiment& experiment) {
    const CallTree& tree = experiment.callTree;
    std::vector<char> found(tree.size());
    std::vector<CallPathId> tops;
    for (const CallPathId path : tree.ids()) {
        const auto parent = tree.parent(path);
        const bool isTop = experiment.regionOf(path).name == "TASKS";
        found[path.index()] = isTop || (parent && found[parent->index()] != 0) ? 1 : 0;
        if (isTop) tops.push_back(path);
    }
    for (const CallPathId top : tops)
        for (auto above = tree.parent(top); above; above = tree.parent(*above)) found[above->index()] = 1;
    return found;
}

}  // namespace holos::algebra
