// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/collate/call_tree_merge.h"

#include <map>
#include <unordered_map>

namespace holos::analyzer::collate {

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

class Merger {
  public:
    explicit Merger(const replay::ReplayedTrace& trace) : trace_(trace) {
        merged_.pathOf.resize(trace.locations.size());
        resolved_.resize(trace.locations.size());
        next_.resize(trace.locations.size(), 0);
        regionOf_.resize(trace.definitions.regions.size());
        for (std::size_t i = 0; i < trace.locations.size(); ++i) {
            merged_.pathOf[i].resize(trace.locations[i].tree.size());
            resolved_[i].resize(trace.locations[i].tree.size(), 0);
        }
    }

    MergedTree merge() {
        const auto& processes = trace_.definitions.processes;
        // All before the first call path: in a damaged trace a team may have its master in another process.
        for (const trace::Process& process : processes)
            for (const LocationId location : process.threads) openProgram(process, location);
        for (const trace::Process& process : processes)
            for (const LocationId location : process.threads)
                resolveBefore(location, trace_[location].tree.size());
        return std::move(merged_);
    }

  private:
    /// The process's program is the root of all its threads, when any of them knows its name.
    void openProgram(const trace::Process& process, LocationId location) {
        std::optional<CallPathId> root;
        for (const LocationId thread : process.threads) {
            if (trace_[thread].program.empty()) continue;
            root = place(programRegion(trace_[thread].program), std::nullopt);
            break;
        }
        for (const NodeId node : {kOutside, kProgram}) {
            merged_.pathOf[location.index()][node.index()] = root;
            resolved_[location.index()][node.index()] = 1;
        }
    }

    void resolveBefore(LocationId location, std::size_t end) {
        for (std::size_t& next = next_[location.index()]; next < end;) resolve(location, NodeId(next++));
    }

    std::optional<CallPathId> resolve(LocationId location, NodeId node) {
        auto& slot = merged_.pathOf[location.index()][node.index()];
        auto& done = resolved_[location.index()][node.index()];
        if (done != 0) return slot;
        done = 1;  // also ends circles of teams that adopt each other
        const replay::LocalTree& tree = trace_[location].tree;
        if (tree[node].adopted) {
            const replay::Origin origin = tree.originOf(node);
            // In ascending order parents come before children, so that the depth of recursion is that of
            // teams.
            resolveBefore(origin.location, origin.node.index());
            slot = resolve(origin.location, origin.node);
        } else {
            slot = place(experimentRegion(tree[node].region), resolve(location, tree[node].parent));
        }
        return slot;
    }

    CallPathId place(algebra::RegionId region, std::optional<CallPathId> parent) {
        const std::uint64_t above = parent ? parent->index() + 1 : 0;
        const auto [known, isNew] = paths_.try_emplace(above << 32U | region.index());
        if (!isNew) return known->second;
        algebra::CallPath path;
        path.region = region;
        return known->second = merged_.tree.add(std::move(path), parent);
    }

    algebra::RegionId addRegion(const trace::Region& region, trace::RegionClass regionClass) {
        merged_.regions.push_back(convert(region));
        merged_.classes.push_back(regionClass);
        return algebra::RegionId(merged_.regions.size() - 1);
    }

    algebra::RegionId experimentRegion(trace::RegionId region) {
        auto& known = regionOf_[region.index()];
        if (!known) known = addRegion(trace_.definitions[region], trace_.classes[region.index()]);
        return *known;
    }

    algebra::RegionId programRegion(const std::string& name) {
        const auto known = programs_.find(name);
        if (known != programs_.end()) return known->second;
        const auto& regions = trace_.definitions.regions;
        for (std::size_t i = 0; i < regions.size(); ++i)
            if (regions[i].name == name && regions[i].role == trace::Role::Artificial)
                return programs_[name] = experimentRegion(trace::RegionId(i));
        trace::Region region;
        region.name = region.canonicalName = name;
        region.paradigmName = "measurement";
        region.roleName = "artificial";
        return programs_[name] = addRegion(region, {});
    }

    const replay::ReplayedTrace& trace_;
    MergedTree merged_;
    std::vector<std::vector<char>> resolved_;
    std::vector<std::size_t> next_;  ///< by location: the nodes before were visited
    std::vector<std::optional<algebra::RegionId>> regionOf_;
    std::map<std::string, algebra::RegionId> programs_;
    std::unordered_map<std::uint64_t, CallPathId> paths_;  ///< by parent and region
};

}  // namespace

MergedTree mergeCallTrees(const replay::ReplayedTrace& trace) {
    return Merger(trace).merge();
}

}  // namespace holos::analyzer::collate
