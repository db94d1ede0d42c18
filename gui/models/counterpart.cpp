// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/counterpart.h"

#include <algorithm>
#include <limits>

#include "algebra/model/call_names.h"

namespace holos::gui {

using namespace algebra;

namespace {

/// What is called by `caller` there, or is a root, as `path` is here.
std::optional<CallPathId> sameCallee(const Experiment& from, CallPathId path, const Experiment& to,
                                     std::optional<CallPathId> caller) {
    const auto& candidates = caller ? to.callTree.children(*caller) : to.callTree.roots();
    const CallPath& a = from.callTree[path];
    const auto isSame = [&](CallPathId there) {
        const CallPath& b = to.callTree[there];
        return from.regionOf(path).name == to.regionOf(there).name &&
               a.numericParameters == b.numericParameters && a.stringParameters == b.stringParameters;
    };
    const auto isCalledThere = [&](CallPathId there) {
        return isSame(there) && callSiteText(a) == callSiteText(to.callTree[there]);
    };
    auto found = std::ranges::find_if(candidates, isCalledThere);
    // Lines move from version to version.
    if (found == candidates.end()) found = std::ranges::find_if(candidates, isSame);
    return found == candidates.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

std::optional<CallPathId> sameCallPath(const Experiment& from, CallPathId path, const Experiment& to) {
    std::vector<CallPathId> chain;
    for (std::optional<CallPathId> at = path; at; at = from.callTree.parent(*at)) chain.push_back(*at);
    std::optional<CallPathId> found;
    for (auto step = chain.rbegin(); step != chain.rend(); ++step) {
        found = sameCallee(from, *step, to, found);
        if (!found) return std::nullopt;
    }
    return found;
}

std::vector<std::optional<CallPathId>> sameCallPaths(const Experiment& from, const Experiment& to) {
    std::vector<std::optional<CallPathId>> same(from.callTree.size());
    for (const CallPathId path : from.callTree.ids()) {
        const auto up = from.callTree.parent(path);
        if (!up || same[up->index()])
            same[path.index()] = sameCallee(from, path, to, up ? same[up->index()] : std::nullopt);
    }
    return same;
}

namespace {

constexpr double kLacking = std::numeric_limits<double>::quiet_NaN();

/// Each of the values here is that of the same one there.
template <class Id>
std::vector<double> translated(const std::vector<double>& there, const std::vector<std::optional<Id>>& same) {
    std::vector<double> here;
    here.reserve(same.size());
    for (const std::optional<Id>& id : same) here.push_back(id ? there[id->index()] : 0.0);
    return here;
}

}  // namespace

Counterpart::Counterpart(const Experiment& here, NamedExperiment there)
    : here_(here), there_(std::move(there)), cache_(there_.experiment) {}

std::optional<MetricId> Counterpart::metricThere(MetricId metric) const {
    const Metric& wanted = here_.metrics[metric];
    const auto found = there_.experiment->findMetric(wanted.uniqueName);
    return found && there_.experiment->metrics[*found].unit == wanted.unit ? found : std::nullopt;
}

bool Counterpart::isReading(MetricId metric) const {
    const auto there = metricThere(metric);
    return there && cache_.isReading(*there);
}

std::optional<MetricChoice> Counterpart::choiceThere(MetricChoice choice) const {
    const auto metric = metricThere(choice.metric);
    return metric ? std::optional(MetricChoice{*metric, choice.extent}) : std::nullopt;
}

const std::vector<std::optional<CallPathId>>& Counterpart::samePaths() {
    if (!samePaths_) samePaths_ = sameCallPaths(here_, *there_.experiment);
    return *samePaths_;
}

const std::vector<std::optional<LocationId>>& Counterpart::sameLocations() {
    if (sameLocations_) return *sameLocations_;
    const auto keyOf = [](const SystemTree& system, std::size_t at) {
        const Location& location = system.locations[at];
        return LocationKey(system[location.process].rank, location.type, location.rank);
    };
    const SystemTree& theirs = there_.experiment->system;
    std::map<LocationKey, LocationId> known;
    for (std::size_t at = 0; at < theirs.locations.size(); ++at)
        known.emplace(keyOf(theirs, at), LocationId(at));
    sameLocations_.emplace();
    for (std::size_t at = 0; at < here_.system.locations.size(); ++at) {
        const auto found = known.find(keyOf(here_.system, at));
        sameLocations_->push_back(found == known.end() ? std::nullopt : std::optional(found->second));
    }
    return *sameLocations_;
}

ChosenPaths Counterpart::pathsThere(const ChosenPaths& paths) {
    if (paths.isAll()) return kAll;
    std::vector<CallPathChoice> found;
    for (const CallPathChoice& choice : paths.given())
        if (const auto same = samePaths()[choice.path.index()]) found.push_back({*same, choice.extent});
    return found;
}

ChosenLocations Counterpart::locationsThere(const ChosenLocations& locations) {
    if (locations.isAll()) return kAll;
    std::vector<LocationId> found;
    for (const LocationId location : locations.given())
        if (const auto same = sameLocations()[location.index()]) found.push_back(*same);
    return found;
}

double Counterpart::total(MetricChoice choice, const ChosenPaths& paths, const ChosenLocations& locations) {
    const auto there = choiceThere(choice);
    if (!there) return kLacking;
    const ChosenPaths chosenPaths = pathsThere(paths);
    const ChosenLocations chosenLocations = locationsThere(locations);
    const bool isNothing = (!chosenPaths.isAll() && chosenPaths.given().empty()) ||
                           (!chosenLocations.isAll() && chosenLocations.given().empty());
    if (isNothing) return isSumOfParts(here_.metrics[choice.metric]) ? 0.0 : kLacking;
    return chosenPaths.isAll() && chosenLocations.isAll()
               ? cache_.metric(*there)
               : cache_.total(*there, chosenPaths, chosenLocations);
}

std::vector<double> Counterpart::callPaths(MetricChoice choice, Extent extent,
                                           const ChosenLocations& locations) {
    const auto there = choiceThere(choice);
    if (!there) return std::vector<double>(here_.callTree.size(), kLacking);
    return translated(*cache_.callPaths(*there, extent, locationsThere(locations)), samePaths());
}

std::vector<double> Counterpart::locations(MetricChoice choice, const ChosenPaths& paths) {
    const auto there = choiceThere(choice);
    if (!there) return std::vector<double>(here_.system.locations.size(), kLacking);
    return translated(*cache_.locations(*there, pathsThere(paths)), sameLocations());
}

}  // namespace holos::gui
