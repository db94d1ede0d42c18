// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/assemble/base_values.h"

#include <limits>

#include "analyzer/trace/teams.h"

namespace holos::analyzer::assemble {

namespace {

using algebra::CallPathId;
using replay::NodeId;
using trace::LocationId;

/// THREADS has no time of its own, nor has TASKS where tasks are booked twice: what they take there the
/// program gives back.
void settleArtificialNodes(const replay::LocalTree& tree, bool tasksAreBookedTwice,
                           std::vector<std::int64_t>& time) {
    std::vector<char> belowTasks(tree.size(), 0);
    std::int64_t tasks = 0;
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const NodeId node(i);
        const bool isTasks = tree[node].region == trace::kTasksRegion;
        const bool hasNoTime = tree[node].region == trace::kThreadsRegion || (isTasks && tasksAreBookedTwice);
        if (hasNoTime) time[i] = 0;
        belowTasks[i] = isTasks || belowTasks[tree[node].parent.index()] != 0 ? 1 : 0;
        if (belowTasks[i] != 0) tasks += time[i];
    }
    if (tasksAreBookedTwice) time[replay::kProgram.index()] -= tasks;
}

BaseValues measuredValues(const replay::ReplayedCalls& calls, const paths::MergedTree& merged,
                          LocationId location, const patterns::NodeSums& moved) {
    const replay::LocalTree& tree = calls[location].tree;
    std::vector<std::int64_t> time = moved.byNode();
    time.resize(tree.size(), 0);
    std::vector<std::int64_t> visits(tree.size());
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const replay::LocalTree::Node& node = tree[NodeId(i)];
        // The time that a worker is in a team, but not yet in its parallel region, is its master's to
        // explain.
        time[i] = node.adopted || NodeId(i) == replay::kOutside
                      ? 0
                      : patterns::wrappingSum(time[i], node.exclusive);
        visits[i] = static_cast<std::int64_t>(node.visits);
    }
    // A master's fork and join were taken from the call path that forked, which may be an adopted one.
    settleArtificialNodes(tree, calls.definitions.tasksAreBookedTwice(), time);
    return {toPaths(merged, location.index(), time), toPaths(merged, location.index(), visits), {}, {}};
}

/// By construct, at its first call path.
PathValues timeInConstructs(const OpenMpConstructs& constructs, const PathValues& time) {
    PathValues sums(time.size(), 0);
    for (std::size_t path = 0; path < time.size(); ++path)
        if (constructs.around(path) != OpenMpConstructs::kNone) {
            auto& sum = sums[constructs.around(path)];
            sum = patterns::wrappingSum(sum, time[path]);
        }
    return sums;
}

/// Whether a thread is there for parallel regions. One that is in no team and works outside of all
/// constructs, as a thread of the runtime system that helps, has work of its own.
bool isReserved(const OpenMpConstructs& constructs, LocationId location, const PathValues& time) {
    if (constructs.isOfTeam(location)) return true;
    for (std::size_t path = 0; path < time.size(); ++path)
        if (constructs.around(path) == OpenMpConstructs::kNone && time[path] != 0) return false;
    return true;
}

/// What a worker has less than its master.
void addIdleTime(const trace::Definitions& definitions, const OpenMpConstructs& constructs,
                 const PathValues& masterTime, const PathValues& masterSums, BaseValues& worker) {
    constexpr double kThreshold = 1e-10;
    const PathValues own = timeInConstructs(constructs, worker.time);
    worker.idle.assign(own.size(), 0);
    worker.limited.assign(own.size(), 0);
    for (std::size_t path = 0; path < own.size(); ++path) {
        if (constructs.around(path) == OpenMpConstructs::kNone) {
            worker.idle[path] = masterTime[path];
            continue;
        }
        const std::int64_t unused = masterSums[path] - own[path];
        if (definitions.seconds(unused) < kThreshold) continue;
        worker.limited[path] = unused;
        worker.idle[path] = unused;
    }
}

}  // namespace

PathValues toPaths(const paths::MergedTree& merged, std::size_t location,
                   const std::vector<std::int64_t>& byNode) {
    PathValues values(merged.tree.size(), 0);
    for (std::size_t node = 0; node < byNode.size(); ++node)
        if (byNode[node] != 0)
            if (const auto path = merged.pathOf[location][node])
                values[path->index()] = patterns::wrappingSum(values[path->index()], byNode[node]);
    return values;
}

OpenMpConstructs::OpenMpConstructs(const paths::MergedTree& merged, const trace::Definitions& definitions)
    : around_(merged.tree.size(), kNone), isOfTeam_(trace::membersOfTeams(definitions)) {
    constexpr std::size_t kNoLevel = std::numeric_limits<std::size_t>::max();
    std::size_t level = kNoLevel;
    std::uint32_t construct = kNone;
    std::vector<std::size_t> depth(merged.tree.size(), 0);
    std::vector<char> ofFirstThreads(merged.tree.size(), 0);
    for (const trace::Process& process : definitions.processes)
        if (!process.threads.empty())
            for (const auto& path : merged.pathOf[process.threads.front().index()])
                if (path) ofFirstThreads[path->index()] = 1;
    for (const CallPathId path : merged.tree.ids()) {
        const auto parent = merged.tree.parent(path);
        if (parent) depth[path.index()] = depth[parent->index()] + 1;
        const trace::RegionClass& region = merged.classes[merged.tree[path].region.index()];
        // What comes late in the order is where its caller is: a function that was seen on the stack, perhaps
        // by a late sample only, and what no first thread calls. (Scalasca goes by the order there; traces of
        // Score-P get its values.)
        const bool isOfLaterThreads = definitions.attributeOfCallPaths && ofFirstThreads[path.index()] == 0;
        const bool isLate = region.isSeen || isOfLaterThreads;
        const bool isInside = isLate && parent && around_[parent->index()] != kNone;
        if (isInside || (parent && region.has(trace::TimeClass::Overhead))) {
            around_[path.index()] = around_[parent->index()];
            continue;
        }
        if (level == kNoLevel || depth[path.index()] <= level) {
            level = region.parallelModel ? depth[path.index()] : kNoLevel;
            construct = region.parallelModel ? static_cast<std::uint32_t>(path.index()) : kNone;
        }
        around_[path.index()] = construct;
    }
}

void visitBaseValues(const replay::ReplayedCalls& calls, const paths::MergedTree& merged,
                     const std::vector<patterns::LocalSeverities>& severities, const trace::Process& process,
                     const OpenMpConstructs* constructs,
                     const std::function<void(LocationId, const BaseValues&)>& use) {
    PathValues masterTime;
    PathValues masterSums;
    for (const LocationId location : process.threads) {
        BaseValues values = measuredValues(calls, merged, location, severities[location.index()].moved());
        const bool isMaster = location == process.threads[0];
        if (constructs != nullptr && isMaster && process.threads.size() > 1) {
            masterTime = values.time;
            masterSums = timeInConstructs(*constructs, masterTime);
        } else if (constructs != nullptr && !isMaster && isReserved(*constructs, location, values.time) &&
                   calls.definitions[location].kind == trace::Location::Kind::Thread) {
            addIdleTime(calls.definitions, *constructs, masterTime, masterSums, values);
        }
        use(location, values);
    }
}

}  // namespace holos::analyzer::assemble
