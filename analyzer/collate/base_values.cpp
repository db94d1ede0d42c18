// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/collate/base_values.h"

#include <limits>

namespace holos::analyzer::collate {

namespace {

using algebra::CallPathId;
using replay::NodeId;
using trace::LocationId;

/// TASKS and THREADS have no time of their own. What explicit tasks take is booked below TASKS and at the
/// stubs where they ran, so the program gives it back once.
void settleArtificialNodes(const replay::LocalTree& tree, std::vector<std::int64_t>& time) {
    std::vector<char> belowTasks(tree.size(), 0);
    std::int64_t tasks = 0;
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const NodeId node(i);
        const bool isTasks = tree[node].region == trace::kTasksRegion;
        if (isTasks || tree[node].region == trace::kThreadsRegion) time[i] = 0;
        belowTasks[i] = isTasks || belowTasks[tree[node].parent.index()] != 0 ? 1 : 0;
        if (belowTasks[i] != 0) tasks += time[i];
    }
    time[replay::kProgram.index()] -= tasks;
}

void takeLocation(const replay::ReplayedTrace& trace, const MergedTree& merged, std::size_t location,
                  BaseValues& base) {
    const replay::LocalTree& tree = trace.locations[location].tree;
    std::vector<std::int64_t> time(tree.size());
    std::vector<std::int64_t> visits(tree.size());
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const replay::LocalTree::Node& node = tree[NodeId(i)];
        // The time that a worker is in a team, but not yet in its parallel region, is its master's to
        // explain.
        time[i] = node.adopted || NodeId(i) == replay::kOutside ? 0 : node.exclusive;
        visits[i] = static_cast<std::int64_t>(node.visits);
    }
    // A master's fork and join were taken from the call path that forked, which may be an adopted one.
    settleArtificialNodes(tree, time);
    base.time[location] = toPaths(merged, location, time);
    base.visits[location] = toPaths(merged, location, visits);
}

/// Scalasca's heuristic for reserved, but unused threads. Call paths are visited in their order. Outside of
/// OpenMP constructs the master's time is idle time of its workers. An outermost construct is a run of call
/// paths that are deeper than its first one; what its workers have less than their master is limited
/// parallelism.
class IdleThreads {
  public:
    IdleThreads(const replay::ReplayedTrace& trace, const MergedTree& merged, BaseValues& base)
        : trace_(trace), merged_(merged), base_(base), sums_(trace.locations.size()) {}

    void run() {
        std::size_t level = std::numeric_limits<std::size_t>::max();
        constexpr std::size_t kNoLevel = std::numeric_limits<std::size_t>::max();
        std::vector<std::size_t> depth(merged_.tree.size(), 0);
        for (const CallPathId path : merged_.tree.ids()) {
            if (const auto parent = merged_.tree.parent(path))
                depth[path.index()] = depth[parent->index()] + 1;
            if (level == kNoLevel || depth[path.index()] <= level) {
                closeConstruct();
                const bool isOmp = merged_.classes[merged_.tree[path].region.index()].parallelModel;
                level = isOmp ? depth[path.index()] : kNoLevel;
            }
            if (level == kNoLevel)
                serial(path);
            else
                parallel(path);
        }
        closeConstruct();
    }

  private:
    void serial(CallPathId path) {
        for (const trace::Process& process : trace_.definitions.processes)
            for (std::size_t i = 1; i < process.threads.size(); ++i) {
                const LocationId worker = process.threads[i];
                if (trace_.definitions[worker].kind != trace::Location::Kind::Thread) continue;
                base_.idle[worker.index()][path.index()] =
                    base_.time[process.threads[0].index()][path.index()];
            }
    }

    void parallel(CallPathId path) {
        if (!construct_) {
            construct_ = path;
            std::fill(sums_.begin(), sums_.end(), 0);
        }
        for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += base_.time[i][path.index()];
    }

    void closeConstruct() {
        if (!construct_) return;
        for (std::size_t i = 0; i < sums_.size(); ++i) {
            const trace::Process& process = trace_.definitions[trace_.definitions.locations[i].process];
            const std::int64_t unused = sums_[process.threads[0].index()] - sums_[i];
            if (trace_.definitions.seconds(unused) < kThreshold) continue;
            base_.limited[i][construct_->index()] += unused;
            base_.idle[i][construct_->index()] += unused;
        }
        construct_.reset();
    }

    static constexpr double kThreshold = 1e-10;
    const replay::ReplayedTrace& trace_;
    const MergedTree& merged_;
    BaseValues& base_;
    std::optional<CallPathId> construct_;
    std::vector<std::int64_t> sums_;
};

}  // namespace

PathValues toPaths(const MergedTree& merged, std::size_t location, const std::vector<std::int64_t>& byNode) {
    PathValues values(merged.tree.size(), 0);
    for (std::size_t node = 0; node < byNode.size(); ++node)
        if (byNode[node] != 0)
            if (const auto path = merged.pathOf[location][node])
                values[path->index()] = patterns::wrappingSum(values[path->index()], byNode[node]);
    return values;
}

BaseValues baseValues(const replay::ReplayedTrace& trace, const MergedTree& merged, bool withIdle) {
    const std::size_t locations = trace.locations.size();
    const PathValues zero(merged.tree.size(), 0);
    BaseValues base;
    base.time.assign(locations, zero);
    base.visits.assign(locations, zero);
    base.idle.assign(locations, zero);
    base.limited.assign(locations, zero);
    for (std::size_t i = 0; i < locations; ++i) takeLocation(trace, merged, i, base);
    if (withIdle) IdleThreads(trace, merged, base).run();
    return base;
}

}  // namespace holos::analyzer::collate
