// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/paths/call_tree_merge.h"

#include <algorithm>
#include <map>
#include <set>

namespace holos::analyzer::paths {
namespace {

using algebra::CallPathId;
using replay::kOutside;
using replay::kProgram;
using replay::NodeId;
using trace::LocationId;

algebra::Region convert(const trace::Region& region) {
    algebra::Region result;
    result.name = region.name;
    result.mangledName = region.canonicalName.empty() ? region.name : region.canonicalName;
    result.module = region.file;
    if (region.beginLine != 0) result.beginLine = region.beginLine;
    if (region.endLine != 0) result.endLine = region.endLine;
    result.paradigm = region.paradigmName;
    result.role = region.roleName;
    result.description = region.description;
    return result;
}

/// Numbers of regions while the tree grows: the trace's own, and behind them names of programs.
class RegionNumbers {
  public:
    explicit RegionNumbers(const replay::ReplayedCalls& calls) : calls_(calls) {}

    std::uint32_t ofProgram(const std::string& name) {
        const auto [known, isNew] = numberOf_.try_emplace(name, 0);
        if (isNew) programs_.push_back(known->second = numberFor(name));
        return known->second;
    }
    /// Of all programs, in the order of their first process.
    const std::vector<std::uint32_t>& programs() const { return programs_; }

    std::uint32_t count() const {
        return static_cast<std::uint32_t>(calls_.definitions.regions.size() + names_.size());
    }
    /// Adds the region to those of the experiment.
    void convertTo(MergedTree& merged, std::uint32_t number) const {
        const auto& regions = calls_.definitions.regions;
        if (number < regions.size()) {
            merged.regions.push_back(convert(regions[number]));
            merged.classes.push_back(calls_.classes[number]);
            return;
        }
        trace::Region region;
        region.name = region.canonicalName = names_[number - regions.size()];
        region.paradigmName = "measurement";
        region.roleName = "artificial";
        merged.regions.push_back(convert(region));
        merged.classes.emplace_back();
    }

  private:
    std::uint32_t numberFor(const std::string& name) {
        const auto& regions = calls_.definitions.regions;
        for (std::size_t i = 0; i < regions.size(); ++i)
            if (regions[i].name == name && regions[i].role == trace::Role::Artificial)
                return static_cast<std::uint32_t>(i);
        names_.push_back(name);
        return count() - 1;
    }

    const replay::ReplayedCalls& calls_;
    std::map<std::string, std::uint32_t> numberOf_;
    std::vector<std::uint32_t> programs_;
    std::vector<std::string> names_;  ///< of programs that the trace does not know
};

/// Where the nodes of each location belong, as numbers of a tree that grows.
using Places = std::vector<std::vector<std::uint32_t>>;

/// Some processes, and their common call tree. Threads of a team are in one part.
struct Part {
    std::size_t first = 0;  ///< process
    std::size_t last = 0;   ///< the one behind the last
    GrowingPaths paths;
    std::vector<std::uint32_t> whole;  ///< by number in `paths`: that in the tree of all parts
};

/// Puts the call tree of a part together: process by process, thread by thread.
class PartMerger {
  public:
    /// `programs`: by process.
    PartMerger(const replay::ReplayedCalls& calls, const RegionNumbers& regions,
               const std::vector<std::uint32_t>& programs, Part& part, Places& places)
        : calls_(calls), regions_(regions), programs_(programs), part_(part), places_(places) {}

    void merge() {
        forLocations([&](std::size_t, LocationId location) {
            for (const auto& [place, node] : calls_[location].taskPlaces.created())
                creators_[place].emplace_back(location, node);
        });
        // All programs first, in all parts alike.
        for (const std::uint32_t program : regions_.programs())
            part_.paths.child(GrowingPaths::kNowhere, program);
        forLocations([&](std::size_t process, LocationId location) { open(process, location); });
        forLocations(
            [&](std::size_t, LocationId location) { resolveBefore(location, calls_[location].tree.size()); });
    }

    static constexpr std::uint32_t kNoProgram = ~std::uint32_t{0};

  private:
    template <class Use>
    void forLocations(Use use) {
        for (std::size_t process = part_.first; process < part_.last; ++process)
            for (const LocationId location : calls_.definitions.processes[process].threads)
                use(process, location);
    }

    void open(std::size_t process, LocationId location) {
        auto& places = places_[location.index()];
        places.assign(calls_[location].tree.size(), kUnknown);
        std::uint32_t root = GrowingPaths::kNowhere;
        if (programs_[process] != kNoProgram)
            root = part_.paths.child(GrowingPaths::kNowhere, programs_[process]);
        places[kOutside.index()] = places[kProgram.index()] = root;
        next_[location.index()] = 0;
    }

    void resolveBefore(LocationId location, std::size_t end) {
        for (std::size_t& next = next_[location.index()]; next < end;) resolve(location, NodeId(next++));
    }

    /// Callers may be many, and where tasks were created may be anywhere: what is not known yet is found from
    /// the outermost one on.
    std::uint32_t resolve(LocationId location, NodeId node) {
        auto& places = places_[location.index()];
        const replay::LocalTree& tree = calls_[location].tree;
        std::vector<NodeId> unknown;
        for (; places[node.index()] == kUnknown; node = tree[node].parent) unknown.push_back(node);
        std::uint32_t place = places[node.index()];
        for (; !unknown.empty(); unknown.pop_back()) {
            node = unknown.back();
            if (tree[node].adopted)
                place = resolveStandIn(location, node);
            else
                place = part_.paths.child(place, static_cast<std::uint32_t>(tree[node].region.index()),
                                          tree[node].site);
            places[node.index()] = place;
        }
        return place;
    }

    std::uint32_t resolveStandIn(LocationId location, NodeId node) {
        places_[location.index()][node.index()] = GrowingPaths::kNowhere;  // ends circles of teams
        if (const auto* tasks = calls_[location].taskPlaces.standIn(node)) {
            open_.insert({location, node});
            const std::uint32_t found = resolve(tasks->place);
            open_.erase({location, node});
            if (found != GrowingPaths::kNowhere) return found;
            return part_.paths.child(resolve(location, tasks->region), kTasks);
        }
        const replay::Origin origin = calls_[location].tree.originOf(node);
        // In ascending order parents come before children.
        resolveBefore(origin.location, origin.node.index());
        return resolve(origin.location, origin.node);
    }

    /// What all have in common who created tasks there. Among them may be tasks of the place itself.
    std::uint32_t resolve(const replay::TaskPlace& place) {
        std::optional<std::uint32_t> common;
        for (const auto& [location, node] : creators_[place]) {
            if (isBelowOpen(location, node)) continue;
            const std::uint32_t found = resolve(location, node);
            common = common ? part_.paths.common(*common, found) : found;
        }
        return common.value_or(GrowingPaths::kNowhere);
    }

    bool isBelowOpen(LocationId location, NodeId node) const {
        const replay::LocalTree& tree = calls_[location].tree;
        while (node != kOutside && !tree[node].adopted) node = tree[node].parent;
        return open_.count({location, node}) != 0;
    }

    static constexpr std::uint32_t kTasks = trace::kTasksRegion.index();
    static constexpr std::uint32_t kUnknown = ~std::uint32_t{0};

    const replay::ReplayedCalls& calls_;
    const RegionNumbers& regions_;
    const std::vector<std::uint32_t>& programs_;
    Part& part_;
    Places& places_;
    std::map<std::size_t, std::size_t> next_;  ///< by location: the nodes before were visited
    using LocalNode = std::pair<LocationId, NodeId>;
    std::map<replay::TaskPlace, std::vector<LocalNode>> creators_;
    std::set<LocalNode> open_;  ///< stand for places of tasks that are being looked for
};

/// In a damaged trace a team may have its master in another process.
bool staysInProcess(const replay::ReplayedCalls& calls, LocationId location) {
    const auto& adopted = calls[location].tree.adopted();
    return std::ranges::all_of(adopted, [&](const replay::LocalTree::Adopted& node) {
        return calls.definitions[node.origin.location].process == calls.definitions[location].process;
    });
}

/// What a worker merges at a time: so many nodes, as far as processes can be apart.
constexpr std::size_t kNodesOfPart = 20'000;

std::vector<Part> divide(const replay::ReplayedCalls& calls) {
    std::vector<Part> parts;
    const auto& processes = calls.definitions.processes;
    std::size_t nodes = kNodesOfPart;
    bool areApart = true;
    for (std::size_t i = 0; i < processes.size(); ++i) {
        if (nodes >= kNodesOfPart) {
            parts.emplace_back().first = i;
            nodes = 0;
        }
        parts.back().last = i + 1;
        for (const LocationId location : processes[i].threads) {
            nodes += calls[location].tree.size();
            areApart = areApart && staysInProcess(calls, location);
        }
    }
    if (!areApart) {
        parts.resize(1);
        parts[0].last = processes.size();
    }
    return parts;
}

/// Adds the call paths of the parts `middle` … `last` − 1, which are together in `parts[middle]`, to those in
/// `parts[first]`.
void unite(std::vector<Part>& parts, std::size_t first, std::size_t middle, std::size_t last) {
    GrowingPaths& all = parts[first].paths;
    const GrowingPaths& added = parts[middle].paths;
    std::vector<std::uint32_t> numbers(added.end(), GrowingPaths::kNowhere);
    for (std::uint32_t path = 1; path < added.end(); ++path)
        numbers[path] = all.child(numbers[added[path].parent], added[path].region, added[path].site);
    for (std::size_t i = middle; i < last; ++i)
        for (std::uint32_t& number : parts[i].whole) number = numbers[number];
    parts[middle].paths = {};
}

/// The tree of all parts, in `parts[0]`: neighbours are united, then their neighbours, and so on. New call
/// paths stand behind those of the parts before, whoever unites them.
void uniteAll(std::vector<Part>& parts, workers::Workers& workers) {
    for (Part& part : parts)
        for (std::uint32_t path = 0; path < part.paths.end(); ++path) part.whole.push_back(path);
    for (std::size_t step = 1; step < parts.size(); step *= 2)
        workers.forEach((parts.size() + step - 1) / (2 * step), [&](std::size_t pair) {
            const std::size_t first = pair * 2 * step;
            unite(parts, first, first + step, std::min(parts.size(), first + 2 * step));
        });
}

/// By process, the program that any of its threads knows.
std::vector<std::uint32_t> findPrograms(const replay::ReplayedCalls& calls, RegionNumbers& regions) {
    std::vector<std::uint32_t> programs;
    for (const trace::Process& process : calls.definitions.processes) {
        const auto knows = [&](LocationId thread) { return !calls[thread].program.empty(); };
        const auto thread = std::ranges::find_if(process.threads, knows);
        programs.push_back(thread == process.threads.end() ? PartMerger::kNoProgram
                                                           : regions.ofProgram(calls[*thread].program));
    }
    return programs;
}

/// Regions get their numbers in the order in which call paths need them.
void convertPaths(const GrowingPaths& paths, const RegionNumbers& numbers, MergedTree& merged) {
    std::vector<std::optional<algebra::RegionId>> regions(numbers.count());
    for (std::uint32_t i = 1; i < paths.end(); ++i) {
        auto& region = regions[paths[i].region];
        if (!region) {
            region = algebra::RegionId(merged.regions.size());
            numbers.convertTo(merged, paths[i].region);
        }
        std::optional<CallPathId> parent;
        if (paths[i].parent != GrowingPaths::kNowhere) parent = CallPathId(paths[i].parent - 1);
        merged.tree.add(*region, parent, paths[i].site);
    }
}

}  // namespace

MergedTree mergeCallTrees(const replay::ReplayedCalls& calls, workers::Workers& workers) {
    RegionNumbers regions(calls);
    const std::vector<std::uint32_t> programs = findPrograms(calls, regions);
    std::vector<Part> parts = divide(calls);
    Places places(calls.locations.size());
    workers.forEach(parts.size(),
                    [&](std::size_t i) { PartMerger(calls, regions, programs, parts[i], places).merge(); });
    uniteAll(parts, workers);
    MergedTree merged;
    merged.pathOf.resize(calls.locations.size());
    workers.forEach(parts.size(), [&](std::size_t i) {
        for (std::size_t process = parts[i].first; process < parts[i].last; ++process)
            for (const LocationId location : calls.definitions.processes[process].threads)
                for (const std::uint32_t place : std::exchange(places[location.index()], {})) {
                    const std::uint32_t path = parts[i].whole[place];
                    merged.pathOf[location.index()].push_back(
                        path == GrowingPaths::kNowhere ? std::nullopt : std::optional(CallPathId(path - 1)));
                }
    });
    if (!parts.empty()) convertPaths(parts[0].paths, regions, merged);
    return merged;
}

}  // namespace holos::analyzer::paths
