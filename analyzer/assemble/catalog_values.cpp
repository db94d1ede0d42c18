// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/assemble/catalog_values.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "analyzer/trace/comm_members.h"

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
    for (const CallPathId path : merged.tree.ids()) {
        const auto parent = merged.tree.parent(path);
        if (parent) depth[path.index()] = depth[parent->index()] + 1;
        const trace::RegionClass& region = merged.classes[merged.tree[path].region.index()];
        const std::uint32_t aroundCaller = parent ? around_[parent->index()] : kNone;
        // In traces with call paths all is where its caller is, however late it comes in the order. (Scalasca
        // goes by the order; traces of Score-P get its values.)
        if (definitions.attributeOfCallPaths) {
            const bool isConstruct = aroundCaller == kNone && region.parallelModel;
            around_[path.index()] = isConstruct ? static_cast<std::uint32_t>(path.index()) : aroundCaller;
            continue;
        }
        // What no program calls is where its caller is, and so is a function that was seen on the stack,
        // perhaps by a late sample only.
        const bool isNoCall =
            region.has(trace::TimeClass::Overhead) || region.has(trace::TimeClass::WithoutProcessor);
        if ((parent && isNoCall) || (region.isSeen && aroundCaller != kNone)) {
            around_[path.index()] = aroundCaller;
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
                     const patterns::Severities& severities, const trace::Process& process,
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

namespace {

using namespace patterns;
using trace::TimeClass;

}  // namespace

/// One location's, call path by call path.
class CatalogValues::Evaluation {
  public:
    Evaluation(const CatalogValues& catalog, std::size_t location, const BaseValues& base,
               const patterns::LocalSeverities& severities)
        : catalog_(catalog),
          base_(base),
          hasPattern_(catalog.merged_.tree.size(), 0),
          patterns_(catalog.entries_.size()),
          values_(catalog.entries_.size(), 0) {
        for (std::size_t entry = 0; entry < patterns_.size(); ++entry)
            if (const auto known = severities.all().find(catalog.entries_[entry]);
                known != severities.all().end())
                take(location, known->second, patterns_[entry]);
        for (std::size_t kind = 0; kind < patterns::kNonblockingKinds; ++kind)
            take(location, severities.of(static_cast<Nonblocking>(kind)), nonblocking_[kind]);
    }

    LocationValues run() {
        for (path_ = 0; path_ < hasPattern_.size(); ++path_) {
            if (hasPattern_[path_] == 0 && base_.isZero(path_)) continue;
            const auto& region = catalog_.merged_.tree[CallPathId(path_)].region;
            class_ = &catalog_.merged_.classes[region.index()];
            evaluate(hasPattern_[path_] != 0 ? catalog_.everything_ : catalog_.plans_[region.index()]);
        }
        return {found_, catalog_.entries_.size()};
    }

  private:
    void take(std::size_t location, const patterns::NodeSums& sums, PathValues& values) {
        if (sums.byNode().empty()) return;
        values = toPaths(catalog_.merged_, location, sums.byNode());
        for (std::size_t path = 0; path < hasPattern_.size(); ++path)
            if (values[path] != 0) hasPattern_[path] = 1;
    }

    void evaluate(const Plan& plan) {
        for (const std::uint16_t entry : plan) {
            entry_ = entry;
            values_[entry] = std::visit([this](const auto& source) { return of(source); },
                                        catalog_.entries_[entry]->source);
            if (values_[entry] != 0)
                found_.push_back({entry, {static_cast<std::uint32_t>(path_), values_[entry]}});
        }
        for (const std::uint16_t entry : plan) values_[entry] = 0;
    }

    std::int64_t ofClass(TimeClass timeClass, std::int64_t value) const {
        return class_->has(timeClass) ? value : 0;
    }
    std::int64_t at(const PathValues& values) const { return values.empty() ? 0 : values[path_]; }

    bool isRecorded() const { return !class_->has(TimeClass::Unrecorded); }

    std::int64_t of(FromTime) const {
        return isRecorded() ? patterns::wrappingSum(base_.time[path_], base_.idleAt(path_)) : 0;
    }
    std::int64_t of(FromExecution) const {
        return isRecorded() && !class_->has(TimeClass::Overhead) ? base_.time[path_] : 0;
    }
    std::int64_t of(FromComputation) const {
        std::int64_t rest = of(FromExecution{});
        for (const std::uint16_t entry : catalog_.notComputation_)
            rest = patterns::wrappingSum(rest, -values_[entry]);
        return rest;
    }
    std::int64_t of(FromClass source) const {
        const std::int64_t own = ofClass(source.timeClass, base_.time[path_]);
        if (!source.nonblocking) return own;
        return patterns::wrappingSum(own, at(nonblocking_[static_cast<std::size_t>(*source.nonblocking)]));
    }
    std::int64_t of(FromPointToPoint) const {
        std::int64_t own = ofClass(TimeClass::MpiPointToPoint, base_.time[path_]);
        for (const PathValues& part : nonblocking_) own -= at(part);
        return own;
    }
    std::int64_t of(FromVisits) const { return base_.visits[path_]; }
    std::int64_t of(FromVisitsOf source) const { return ofClass(source.timeClass, base_.visits[path_]); }
    std::int64_t of(FromPattern) const { return at(patterns_[entry_]); }
    std::int64_t of(FromIdle) const { return isRecorded() ? base_.idleAt(path_) : 0; }
    std::int64_t of(FromLimited) const { return isRecorded() ? base_.limitedAt(path_) : 0; }
    std::int64_t of(FromChildren) const {
        const auto plus = catalog_.areBytes_[entry_] ? patterns::sumOfBytes : patterns::wrappingSum;
        std::int64_t sum = 0;
        for (const std::uint16_t child : catalog_.children_[entry_]) sum = plus(sum, values_[child]);
        return sum;
    }

    const CatalogValues& catalog_;
    const BaseValues& base_;
    std::vector<char> hasPattern_;      ///< by call path
    std::vector<PathValues> patterns_;  ///< by entry; empty where a pattern found nothing
    std::array<PathValues, patterns::kNonblockingKinds> nonblocking_;
    std::vector<std::int64_t> values_;  ///< by entry, of the call path at hand
    std::vector<LocationValues::Found> found_;
    const trace::RegionClass* class_ = nullptr;
    std::size_t path_ = 0;
    std::size_t entry_ = 0;
};

LocationValues::LocationValues(const std::vector<Found>& found, std::size_t entries)
    : values_(found.size()), ends_(entries, 0) {
    for (const Found& one : found) ++ends_[one.entry];
    std::uint32_t begin = 0;
    for (std::uint32_t& end : ends_) begin += std::exchange(end, begin);
    for (const Found& one : found) values_[ends_[one.entry]++] = one.value;
}

CatalogValues::CatalogValues(const paths::MergedTree& merged, const Catalog& entries)
    : merged_(merged), entries_(entries), children_(entries.size()) {
    std::map<std::string_view, std::size_t> position;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const std::string_view name = entries[i]->uniqueName;
        position[name] = i;
        areBytes_.push_back(entries[i]->parent != nullptr ? areBytes_[position.at(entries[i]->parent)]
                                                          : std::string_view(entries[i]->unit) == "bytes");
        if (entries[i]->parent != nullptr)
            children_[position.at(entries[i]->parent)].push_back(static_cast<std::uint16_t>(i));
        if (name == "mpi" || name == "omp_time" || name == "pthread_time" || name == "system_waiting" ||
            name == "processor_waiting")
            notComputation_.push_back(static_cast<std::uint16_t>(i));
    }
    for (std::size_t i = entries.size(); i-- > 0;) everything_.push_back(static_cast<std::uint16_t>(i));
    for (const trace::RegionClass& regionClass : merged.classes) plans_.push_back(planFor(regionClass));
}

bool CatalogValues::mayHaveValue(const Metric& entry, const trace::RegionClass& regionClass) const {
    if (const auto* source = std::get_if<FromClass>(&entry.source)) return regionClass.has(source->timeClass);
    if (const auto* source = std::get_if<FromVisitsOf>(&entry.source))
        return regionClass.has(source->timeClass);
    if (std::holds_alternative<FromPointToPoint>(entry.source))
        return regionClass.has(TimeClass::MpiPointToPoint);
    return !std::holds_alternative<FromPattern>(entry.source);
}

CatalogValues::Plan CatalogValues::planFor(const trace::RegionClass& regionClass) const {
    Plan plan;
    std::vector<char> isPlanned(entries_.size(), 0);
    for (const std::uint16_t entry : everything_) {
        const bool isSum = std::holds_alternative<FromChildren>(entries_[entry]->source);
        const bool wanted =
            isSum ? std::ranges::any_of(children_[entry],
                                        [&](std::uint16_t child) { return isPlanned[child] != 0; })
                  : mayHaveValue(*entries_[entry], regionClass);
        if (!wanted) continue;
        isPlanned[entry] = 1;
        plan.push_back(entry);
    }
    return plan;
}

LocationValues CatalogValues::evaluate(std::size_t location, const BaseValues& base,
                                       const patterns::LocalSeverities& severities) const {
    return Evaluation(*this, location, base, severities).run();
}

}  // namespace holos::analyzer::assemble
