// SPDX-License-Identifier: BSD-3-Clause
#include "report/serve/shown_experiment.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <span>

#include "algebra/model/row_sums.h"
#include "report/serve/server.h"

namespace holos::serve {

using namespace algebra;

namespace {

/// Sums of a metric's stored values, read row by row: values need not fit into memory. Bit for bit the
/// numbers of the algebra's queries, as they are added in the same order. For metrics of which `hasRowSums`
/// is true.
using algebra::RowSums;

/// True for a metric whose values are stored, and added up.
bool hasRowSums(const algebra::Experiment& experiment, algebra::MetricId metric);

/// Of the whole run. Where the sums are stored with the values, these are not read.
RowSums rowSumsOf(const algebra::Experiment& experiment, algebra::MetricId metric);

/// By location, over some call paths; others are not read.
std::vector<double> locationSumsOf(const algebra::Experiment& experiment, algebra::MetricId metric,
                                   const algebra::CallPathChoice& path);

/// What call paths have with those below them.
std::vector<double> withThoseBelow(const algebra::CallTree& tree, std::vector<double> own);

/// What nodes, processes and locations have, in this order one after the other.
std::vector<double> sumsOfSystem(const algebra::SystemTree& system, const std::vector<double>& locations);

bool hasRowSums(const Experiment& experiment, MetricId id) {
    const Metric& metric = experiment.metrics[id];
    return metric.hasValues() && !metric.isVoid && metric.valueType != ValueType::Compound &&
           isSumOfParts(metric);
}

/// By call path.
std::vector<char> chosenOf(const CallTree& tree, const CallPathChoice& path) {
    std::vector<char> isChosen(tree.size());
    for (const CallPathId id : tree.ids()) {
        const auto parent = tree.parent(id);
        const bool isBelow = path.extent == Extent::Inclusive && parent && isChosen[parent->index()] != 0;
        isChosen[id.index()] = id == path.path || isBelow ? 1 : 0;
    }
    return isChosen;
}

/// Calls `add` with each row that has values, callers first.
template <class Add>
void eachRow(const Experiment& experiment, MetricId metric, const Add& add) {
    const RowsPtr rows = experiment.severities.rows(metric);
    std::vector<double> scratch(experiment.system.locations.size());
    for (const CallPathId id : experiment.callTree.ids())
        if (id.index() < rows->callPaths() && rows->hasRow(id))
            add(id, [&] { return rows->row(id, scratch); });
}

void addTo(std::vector<double>& sums, std::span<const double> row) {
    for (std::size_t at = 0; at < row.size(); ++at) sums[at] += row[at];
}

RowSums rowSumsOf(const Experiment& experiment, MetricId metric) {
    if (const auto stored = experiment.severities.rows(metric)->storedSums()) return *stored;
    return sumsOf(*experiment.severities.rows(metric));
}

std::vector<double> locationSumsOf(const Experiment& experiment, MetricId metric,
                                   const CallPathChoice& path) {
    const std::vector<char> isChosen = chosenOf(experiment.callTree, path);
    std::vector<double> sums(experiment.system.locations.size());
    eachRow(experiment, metric, [&](CallPathId id, const auto& read) {
        if (isChosen[id.index()] != 0) addTo(sums, read());
    });
    return sums;
}

std::vector<double> withThoseBelow(const CallTree& tree, std::vector<double> own) {
    for (std::size_t at = tree.size(); at-- > 0;)
        if (const auto parent = tree.parent(CallPathId(at))) own[parent->index()] += own[at];
    return own;
}

std::vector<double> sumsOfSystem(const SystemTree& system, const std::vector<double>& locations) {
    const std::size_t processes = system.nodes.size();
    std::vector<double> sums(processes + system.processes.size());
    for (std::size_t at = 0; at < locations.size(); ++at) {
        const Process& process = system[system.locations[at].process];
        sums[processes + system.locations[at].process.index()] += locations[at];
        for (std::optional up = process.node; up; up = system.nodes.parent(*up))
            sums[up->index()] += locations[at];
    }
    sums.insert(sums.end(), locations.begin(), locations.end());
    return sums;
}

/// Numbers that are remembered of an experiment, at most: 128 MB.
constexpr std::size_t kRemembered = std::size_t{16} << 20;
constexpr std::size_t kNoNode = ~std::size_t{0};
/// What is smaller in parts of a value is left over from subtracting others from it.
constexpr double kRounding = 1e-12;
enum What : std::size_t { CallPaths, System, Total, Sums };

std::size_t numberOf(Extent extent) {
    return extent == Extent::Exclusive ? 1 : 0;
}

std::size_t firstProcess(const SystemTree& system) {
    return system.nodes.size();
}
std::size_t firstLocation(const SystemTree& system) {
    return system.nodes.size() + system.processes.size();
}

/// By node of the system; a location is alone in its group.
LocationGroups groupsOf(const SystemTree& system) {
    LocationGroups groups = locationsByNode(system);
    for (auto& process : locationsByProcess(system)) groups.push_back(std::move(process));
    for (std::size_t at = 0; at < system.locations.size(); ++at)
        groups.push_back(std::vector<LocationId>(1, LocationId(at)));
    return groups;
}

/// `3` of `name;3`, else 1.
std::size_t twinIn(std::string_view segment) {
    std::size_t twin = 1;
    const std::size_t mark = segment.find(';');
    if (mark != std::string_view::npos)
        std::from_chars(segment.data() + mark + 1, segment.data() + segment.size(), twin);
    return std::max<std::size_t>(twin, 1);
}

}  // namespace

ShownExperiment::ShownExperiment(ExperimentPtr experiment)
    : experiment_(std::move(experiment)), names_(shortNamesOf(*experiment_)) {
    const SystemTree& system = experiment_->system;
    addTree(Tree::Metrics, experiment_->metrics.size());
    addTree(Tree::Calls, experiment_->callTree.size());
    addTree(Tree::System, firstLocation(system) + system.locations.size());
}

ShownExperiment::~ShownExperiment() {
    {
        const std::lock_guard lock(totalsMutex_);
        isOver_ = true;
    }
    isWanted_.notify_all();
    if (reader_.joinable()) reader_.join();
}

void ShownExperiment::addTree(Tree tree, std::size_t nodes) {
    std::vector<std::size_t>& roots = roots_[tree];
    std::vector<std::vector<std::size_t>>& children = children_[tree];
    children.resize(nodes);
    for (std::size_t node = 0; node < nodes; ++node) {
        if (tree == Tree::Metrics && experiment_->metrics[MetricId(node)].ghost) continue;
        const auto parent = parentOf(tree, node);
        (parent ? children[*parent] : roots).push_back(node);
    }
    if (tree != Tree::System) return;
    for (std::size_t at = firstProcess(experiment_->system); at < firstLocation(experiment_->system); ++at)
        if (children[at].size() == 1) children[at].clear();
}

std::size_t ShownExperiment::nodes(Tree tree) const {
    return children_.at(tree).size();
}

std::optional<std::size_t> ShownExperiment::parentOf(Tree tree, std::size_t node) const {
    const auto indexOf = [](const auto& id) { return id ? std::optional(id->index()) : std::nullopt; };
    const SystemTree& system = experiment_->system;
    if (tree == Tree::Metrics) return indexOf(experiment_->metrics.parent(MetricId(node)));
    if (tree == Tree::Calls) return indexOf(experiment_->callTree.parent(CallPathId(node)));
    if (node < firstProcess(system)) return indexOf(system.nodes.parent(SystemNodeId(node)));
    if (node < firstLocation(system)) return system.processes[node - firstProcess(system)].node.index();
    return firstProcess(system) + system.locations[node - firstLocation(system)].process.index();
}

std::string ShownExperiment::nameOf(Tree tree, std::size_t node) const {
    const SystemTree& system = experiment_->system;
    if (tree == Tree::Metrics) {
        const Metric& metric = experiment_->metrics[MetricId(node)];
        const std::string& name = metric.displayName.empty() ? metric.uniqueName : metric.displayName;
        return metric.incomplete && !name.starts_with('~') ? '~' + name : name;
    }
    if (tree == Tree::Calls) {
        const CallPathId path(node);
        return callText(names_.of(experiment_->regionOf(path).name), experiment_->callTree[path]);
    }
    if (node < firstProcess(system)) return system.nodes[SystemNodeId(node)].name;
    if (node < firstLocation(system)) return system.processes[node - firstProcess(system)].name;
    return system.locations[node - firstLocation(system)].name;
}

std::string ShownExperiment::wholeNameOf(Tree tree, std::size_t node) const {
    if (tree != Tree::Calls) return nameOf(tree, node);
    const CallPath& call = experiment_->callTree[CallPathId(node)];
    std::string parameters;
    const auto add = [&parameters](const std::string& name, const std::string& value) {
        parameters.append(parameters.empty() ? "" : ", ").append(name).append("=").append(value);
    };
    for (const auto& [name, value] : call.numericParameters) add(name, std::to_string(value));
    for (const auto& [name, value] : call.stringParameters) add(name, value);
    const std::string name = callText(*experiment_, CallPathId(node));
    return parameters.empty() ? name : name + " (" + parameters + ')';
}

const std::vector<std::size_t>& ShownExperiment::besides(Tree tree, std::size_t node) const {
    const auto parent = parentOf(tree, node);
    return parent ? childrenOf(tree, *parent) : roots(tree);
}

std::string ShownExperiment::keyOf(Tree tree, std::size_t node) const {
    if (tree == Tree::Metrics) return linkEscaped(experiment_->metrics[MetricId(node)].uniqueName);
    std::string key;
    for (std::optional at = node; at; at = parentOf(tree, *at)) {
        const std::string name = wholeNameOf(tree, *at);
        std::size_t twin = 1;
        for (const std::size_t other : besides(tree, *at))
            if (other < *at && wholeNameOf(tree, other) == name) ++twin;
        const std::string segment = linkEscaped(name) + (twin == 1 ? "" : ';' + std::to_string(twin));
        key = key.empty() ? segment : segment + '/' + key;
    }
    return key;
}

std::optional<std::size_t> ShownExperiment::withKey(Tree tree, std::string_view key) const {
    if (tree == Tree::Metrics) {
        const auto name = linkUnescaped(key);
        for (std::size_t node = 0; name && node < nodes(tree); ++node)
            if (experiment_->metrics[MetricId(node)].uniqueName == *name) return node;
        return std::nullopt;
    }
    std::optional<std::size_t> found;
    for (std::size_t begin = 0; begin <= key.size();) {
        const std::string_view segment = key.substr(begin, key.find('/', begin) - begin);
        begin += segment.size() + 1;
        const auto name = linkUnescaped(segment.substr(0, segment.find(';')));
        if (!name) return std::nullopt;
        std::size_t twins = twinIn(segment);
        const auto& among = found ? childrenOf(tree, *found) : roots(tree);
        const auto node = std::ranges::find_if(
            among, [&](std::size_t each) { return wholeNameOf(tree, each) == *name && --twins == 0; });
        if (node == among.end()) return std::nullopt;
        found = *node;
    }
    return found;
}

Row ShownExperiment::row(Tree tree, std::size_t node, const Chosen& chosen, Moment until) {
    Row row{
        .node = node, .name = nameOf(tree, node), .children = childrenOf(tree, node).size(), .exclusive = {}};
    if (tree == Tree::Metrics) {
        const auto inclusive = totalBy(until, {MetricId(node), Extent::Inclusive});
        const auto exclusive =
            row.children == 0 ? inclusive : totalBy(until, {MetricId(node), Extent::Exclusive});
        row.isPending = !inclusive || !exclusive;
        row.inclusive = inclusive.value_or(std::nan(""));
        row.exclusive = exclusive.value_or(std::nan(""));
    } else if (tree == Tree::Calls) {
        row.inclusive = (*callPaths(chosen.metric, Extent::Inclusive))[node];
        row.exclusive = (*callPaths(chosen.metric, Extent::Exclusive))[node];
    } else {
        row.inclusive = (*system(chosen))[node];
        if (row.children == 0) row.exclusive = row.inclusive;
    }
    return row;
}

/// What several ask for at the same time is made once; what cannot be made is not remembered.
template <class Make>
ShownExperiment::Values ShownExperiment::remembered(const Key& key, std::size_t size, Make make) {
    std::promise<Values> promise;
    std::shared_future<Values> values;
    bool isNew = false;
    {
        const std::lock_guard lock(mutex_);
        const auto known = known_.find(key);
        isNew = known == known_.end();
        values = isNew ? promise.get_future().share() : known->second;
        if (isNew) remember(key, size, values);
    }
    if (!isNew) return values.get();
    try {
        promise.set_value(std::make_shared<const std::vector<double>>(make()));
    } catch (...) {
        promise.set_exception(std::current_exception());
        const std::lock_guard lock(mutex_);
        known_.erase(key);
    }
    return values.get();
}

void ShownExperiment::remember(const Key& key, std::size_t size, const std::shared_future<Values>& values) {
    known_.emplace(key, values);
    order_.emplace_back(key, size);
    numbers_ += size;
    for (; numbers_ > kRemembered && order_.size() > 1; order_.pop_front()) {
        known_.erase(order_.front().first);
        numbers_ -= order_.front().second;
    }
}

/// The metrics below that have to be taken from the metric's values to have those of it alone; nothing where
/// the values are not all stored sums.
std::optional<std::vector<MetricId>> ShownExperiment::storedParts(MetricChoice choice) const {
    if (!hasRowSums(*experiment_, choice.metric)) return std::nullopt;
    std::vector<MetricId> parts;
    if (choice.extent == Extent::Inclusive) return parts;
    for (const MetricId child : experiment_->metrics.children(choice.metric)) {
        const Metric& metric = experiment_->metrics[child];
        if (metric.isVoid || metric.origin == Origin::Ratio || metric.valueType == ValueType::MinDouble ||
            metric.valueType == ValueType::MaxDouble || metric.valueType == ValueType::Compound)
            continue;
        if (!hasRowSums(*experiment_, child)) return std::nullopt;
        parts.push_back(child);
    }
    return parts;
}

/// What the metric has with those below it, without what its parts have.
template <class Of>
std::vector<double> ShownExperiment::without(const std::vector<MetricId>& parts, MetricId metric, Of of) {
    const Values whole = of(metric);
    std::vector<double> found = *whole;
    for (const MetricId part : parts) {
        const Values values = of(part);
        for (std::size_t at = 0; at < found.size(); ++at)
            if (!std::isnan((*values)[at])) found[at] -= (*values)[at];
    }
    for (std::size_t at = 0; at < found.size(); ++at)
        if (std::fabs(found[at]) < kRounding * std::fabs((*whole)[at])) found[at] = 0.0;
    return found;
}

/// Of the whole run: by call path, and behind that by location.
ShownExperiment::Values ShownExperiment::sums(MetricId metric) {
    const std::size_t size = experiment_->callTree.size() + experiment_->system.locations.size();
    return remembered({Sums, metric.index(), 0, 0, kNoNode}, size, [&] {
        RowSums sums = rowSumsOf(*experiment_, metric);
        sums.paths.insert(sums.paths.end(), sums.locations.begin(), sums.locations.end());
        return std::move(sums.paths);
    });
}

ShownExperiment::Values ShownExperiment::callPaths(MetricChoice choice, Extent extent) {
    const Key key{CallPaths, choice.metric.index(), numberOf(choice.extent), numberOf(extent), kNoNode};
    const std::size_t size = experiment_->callTree.size();
    return remembered(key, size, [&, this]() -> std::vector<double> {
        const auto parts = storedParts(choice);
        if (!parts) return perCallPath(*experiment_, choice, extent);
        if (!parts->empty())
            return without(*parts, choice.metric, [&](MetricId each) { return callPaths({each}, extent); });
        const Values all = sums(choice.metric);
        std::vector<double> own(all->begin(), all->begin() + static_cast<std::ptrdiff_t>(size));
        return extent == Extent::Exclusive ? own : withThoseBelow(experiment_->callTree, std::move(own));
    });
}

ShownExperiment::Values ShownExperiment::system(const Chosen& chosen) {
    const MetricChoice metric = chosen.metric;
    std::optional<CallPathChoice> path = chosen.path;
    const auto parts = storedParts(metric);
    const auto& callRoots = experiment_->callTree.roots();
    if (parts && path && callRoots.size() == 1 && path == CallPathChoice{callRoots.front()})
        path = std::nullopt;  // it is all that there is
    const Key key{System, metric.metric.index(), numberOf(metric.extent), path ? numberOf(path->extent) : 0,
                  path ? path->path.index() : kNoNode};
    return remembered(key, nodes(Tree::System), [&, this]() -> std::vector<double> {
        if (!parts) {
            const ChosenPaths paths = path ? ChosenPaths(std::vector{*path}) : ChosenPaths(kAll);
            return perGroup(*experiment_, metric, groupsOf(experiment_->system), paths);
        }
        if (!parts->empty())
            return without(*parts, metric.metric, [&](MetricId each) { return system({{each}, path}); });
        if (path)
            return sumsOfSystem(experiment_->system, locationSumsOf(*experiment_, metric.metric, *path));
        const Values all = sums(metric.metric);
        return sumsOfSystem(
            experiment_->system,
            {all->begin() + static_cast<std::ptrdiff_t>(experiment_->callTree.size()), all->end()});
    });
}

double ShownExperiment::total(MetricChoice choice) {
    const Key key{Total, choice.metric.index(), numberOf(choice.extent), 0, kNoNode};
    return remembered(key, 1,
                      [&, this]() -> std::vector<double> {
                          const auto parts = storedParts(choice);
                          if (!parts) return {aggregate(*experiment_, choice)};
                          if (!parts->empty())
                              return without(*parts, choice.metric, [&](MetricId each) {
                                  return std::make_shared<const std::vector<double>>(1, total({each}));
                              });
                          const Values all = sums(choice.metric);
                          const auto end =
                              all->begin() + static_cast<std::ptrdiff_t>(experiment_->callTree.size());
                          return {std::accumulate(all->begin(), end, 0.0)};
                      })
        ->front();
}

std::optional<double> ShownExperiment::totalBy(Moment until, MetricChoice choice) {
    const Asked asked{choice.metric, choice.extent};
    std::unique_lock lock(totalsMutex_);
    const auto known = totals_.try_emplace(asked);
    const std::optional<double>& value = known.first->second;
    if (known.second) {
        wanted_.push_back(asked);
        if (!reader_.joinable()) reader_ = std::thread([this] { readTotals(); });
        isWanted_.notify_one();
    }
    isRead_.wait_until(lock, until, [&] { return value.has_value(); });
    return value;
}

void ShownExperiment::readTotals() {
    std::unique_lock lock(totalsMutex_);
    for (;;) {
        isWanted_.wait(lock, [this] { return isOver_ || !wanted_.empty(); });
        if (isOver_) return;
        const auto [metric, extent] = wanted_.front();
        wanted_.pop_front();
        lock.unlock();
        double value = std::nan("");
        try {
            value = total({metric, extent});
        } catch (const std::exception&) {  // whoever asks for its call paths is told why
        }
        lock.lock();
        totals_[{metric, extent}] = value;
        isRead_.notify_all();
    }
}

}  // namespace holos::serve
