// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <utility>
#include <vector>

#include "analyzer/causes/point_sources.h"

namespace holos::analyzer::causes {

namespace {

using patterns::JoinWait;
using patterns::LockWait;
using patterns::PollWait;
using patterns::RmaWait;
using replay::Call;
using replay::CollectiveRecord;
using replay::LockRecord;

/// For Scalasca prefix reductions are none.
bool isDependency(const CollectiveRecord& record, const patterns::CollectiveWait& wait, Rules rules) {
    return wait.wait > 0 && wait.awaited.isKnown() && !wait.synchronizes &&
           !(rules.asScalasca && kindOf(record.operation) == Kind::Scan);
}

bool isFree(const Point& point) {
    return point.kind == Kind::Peer && point.partner.location == kNone;
}

}  // namespace

DependencyPoints::DependencyPoints(const patterns::JudgedTrace& run, const paths::MergedTree& merged,
                                   Rules rules)
    : trace_(run.trace),
      waits_(run.waits),
      merged_(merged),
      waiting_(run.trace.locations.size()),
      causes_(run.trace.locations.size()) {
    for (std::uint32_t i = 0; i < waits_.size(); ++i) {
        for (std::uint32_t j = 0; j < waits_[i].collectives.size(); ++j) {
            const Dependency dependency{i, j, nullptr, nullptr};
            if (isDependency(recordOf(dependency), collectiveWaitOf(dependency), rules))
                note(dependency, causerOf(dependency).location);
        }
        if (rules.asScalasca) continue;  // which knows no causes of the others
        for (const RmaWait& wait : waits_[i].oneSided) note({i, kNone, &wait, nullptr}, wait.causer);
        for (const LockWait& wait : waits_[i].locks)
            if (wait.causer != i) note({i, kNone, nullptr, &wait}, wait.causer);
        for (const PollWait& wait : waits_[i].polls)
            note({i, kNone, nullptr, nullptr, &wait}, wait.awaited.location);
        for (const JoinWait& wait : waits_[i].joins)
            note({i, kNone, nullptr, nullptr, nullptr, &wait}, wait.end.location);
    }
}

void DependencyPoints::note(const Dependency& dependency, std::uint32_t causer) {
    waiting_[dependency.location].push_back(dependency);
    causes_[causer].push_back(dependency);
}

void DependencyPoints::collect(std::uint32_t location, Records<Point>& points) const {
    points.reserve(points.size() + waiting_[location].size() + causes_[location].size());
    for (const Dependency& dependency : waiting_[location]) points.push_back(waiter(dependency));
    for (const Dependency& dependency : causes_[location]) points.push_back(causer(dependency));
}

const LockRecord& DependencyPoints::acquisitionOf(const Dependency& dependency) const {
    return trace_.locations[dependency.location].threads.locks[dependency.lock->acquisition];
}

Kind DependencyPoints::kindOf(const Dependency& dependency) const {
    if (dependency.lock != nullptr)
        return trace::isPthread(acquisitionOf(dependency).kind) ? Kind::PthreadLock : Kind::OmpLock;
    if (dependency.polls != nullptr)
        return dependency.polls->operation ? causes::kindOf(*dependency.polls->operation) : Kind::LateSender;
    if (dependency.join != nullptr) return Kind::ThreadEnd;
    if (dependency.oneSided == nullptr) return causes::kindOf(recordOf(dependency).operation);
    return dependency.oneSided->kind == RmaWait::Kind::LatePost ||
                   dependency.oneSided->kind == RmaWait::Kind::EarlyWait
               ? Kind::RmaActive
               : Kind::RmaPassive;
}

DependencyPoints::End DependencyPoints::call(std::uint32_t location, std::uint32_t call,
                                             std::uint64_t event) const {
    const Call& known = trace_.locations[location].messages.calls[call];
    return {location, known.node, known.slice, event, known.enter, known.leave};
}

/// The start of a call comes before all that it does, its own waits included.
DependencyPoints::End DependencyPoints::beginOf(std::uint32_t location, std::uint32_t position) const {
    const std::uint64_t event = trace_.locations[location].messages.calls[position].event;
    return call(location, position, std::max<std::uint64_t>(event, 1) - 1);
}

/// A wait for a condition begins after the release that belongs to it.
DependencyPoints::End DependencyPoints::acquisition(const Dependency& dependency) const {
    const LockRecord& acquired = acquisitionOf(dependency);
    Ticks begin = acquired.begin;
    if (dependency.lock->acquisition != 0) begin = std::max(begin, (&acquired - 1)->time);
    return {dependency.location, acquired.node, acquired.slice, acquired.event, begin, acquired.time};
}

DependencyPoints::End DependencyPoints::pollsOf(const Dependency& dependency) const {
    const replay::PollRecord& polls = trace_.locations[dependency.location].polls[dependency.polls->polls];
    return {dependency.location, polls.node, polls.slice, polls.event, polls.begin, polls.end};
}

DependencyPoints::End DependencyPoints::joinOf(const Dependency& dependency) const {
    const replay::ThreadEnd& call = trace_.locations[dependency.location].threads.ends[dependency.join->call];
    return {dependency.location, call.node, call.slice, call.event, call.begin, call.time};
}

DependencyPoints::End DependencyPoints::endOf(replay::RecordRef thread) const {
    const replay::ThreadEnd& end = trace_.locations[thread.location].threads.ends[thread.position];
    return {thread.location, end.node, end.slice, end.event, end.time, end.time};
}

DependencyPoints::End DependencyPoints::waiterOf(const Dependency& dependency) const {
    if (dependency.lock != nullptr) return acquisition(dependency);
    if (dependency.polls != nullptr) return pollsOf(dependency);
    if (dependency.join != nullptr) return joinOf(dependency);
    if (dependency.oneSided == nullptr)
        return call(dependency.location, recordOf(dependency).call, recordOf(dependency).event);
    const std::uint32_t waits = dependency.oneSided->call;
    return call(dependency.location, waits,
                trace_.locations[dependency.location].messages.calls[waits].event);
}

DependencyPoints::End DependencyPoints::release(const LockWait& wait) const {
    const LockRecord& released = trace_.locations[wait.causer].threads.locks[wait.release];
    return {wait.causer, released.node, released.slice, released.event, released.time, released.time};
}

DependencyPoints::End DependencyPoints::causerOf(const Dependency& dependency) const {
    if (dependency.lock != nullptr) return release(*dependency.lock);
    if (dependency.polls != nullptr)
        return beginOf(dependency.polls->awaited.location, dependency.polls->awaited.position);
    if (dependency.join != nullptr) return endOf(dependency.join->end);
    if (dependency.oneSided == nullptr) {
        const auto [location, position] = collectiveWaitOf(dependency).awaited;
        const CollectiveRecord& cause = trace_.locations[location].messages.collectives[position];
        return cause.isNonblocking() ? call(cause.beginLocation, cause.beginCall, cause.beginEvent)
                                     : beginOf(cause.location, cause.call);
    }
    const RmaWait& wait = *dependency.oneSided;
    const replay::LocationTrace& there = trace_.locations[wait.causer];
    End end = beginOf(wait.causer, wait.causerCall);
    if (wait.release == replay::kNone) return end;
    const replay::RmaRecord& release = there.rma[wait.release];
    end.slice = release.slice;
    end.event = release.event;
    end.begin = release.time;
    return end;
}

Point DependencyPoints::point(const End& end, std::uint32_t other) const {
    Point point;
    point.event = end.event;
    point.before = end.leave - end.begin;
    point.slice = end.slice;
    point.path = pathOf(merged_, end.location, end.node);
    point.process = static_cast<std::uint32_t>(trace_.definitions.locations[other].process.index());
    return point;
}

/// For a lock within its call, whatever the clocks say.
Ticks DependencyPoints::waitOf(const Dependency& dependency) const {
    if (dependency.lock != nullptr) {
        const End acquired = acquisition(dependency);
        return std::max<Ticks>(0, std::min(acquired.leave, release(*dependency.lock).begin) - acquired.begin);
    }
    if (dependency.polls != nullptr) return dependency.polls->wait;
    if (dependency.join != nullptr) return dependency.join->wait;
    return dependency.oneSided != nullptr ? dependency.oneSided->wait : collectiveWaitOf(dependency).wait;
}

Point DependencyPoints::waiter(const Dependency& dependency) const {
    Point wait = point(waiterOf(dependency), causerOf(dependency).location);
    wait.kind = kindOf(dependency);
    wait.wait = waitOf(dependency);
    wait.before = std::min(wait.before, wait.wait);
    return wait;
}

Point DependencyPoints::causer(const Dependency& dependency) const {
    const End end = causerOf(dependency);
    Point causer = point(end, dependency.location);
    if (dependency.lock == nullptr && dependency.join == nullptr)  // a release and an end are over at once
        causer.before -= std::max<Ticks>(0, end.leave - waiterOf(dependency).leave);
    return causer;
}

void DependencyPoints::connect(Points& points) const {
    for (std::uint32_t causer = 0; causer < causes_.size(); ++causer) connectCausesOf(causer, points);
}

/// Very many may wait for one event. Their points at the causer are in the order of `causes_`, so that the
/// first that is free is the one looked for.
void DependencyPoints::connectCausesOf(std::uint32_t causer, Points& points) const {
    std::vector<std::pair<std::uint64_t, Dependency>> byEvent;
    for (const Dependency& dependency : causes_[causer])
        byEvent.emplace_back(causerOf(dependency).event, dependency);
    std::stable_sort(byEvent.begin(), byEvent.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    const PointList& list = points.byLocation[causer];
    auto free = list.others().begin();
    for (const auto& [event, dependency] : byEvent) {
        free = std::find_if(free, list.others().end(),
                            [at = event](const Point& point) { return point.event >= at && isFree(point); });
        const auto process = trace_.definitions.locations[dependency.location].process.index();
        const auto found = std::find_if(free, list.others().end(), [&](const Point& point) {
            return isFree(point) && point.process == process;
        });
        connect(dependency,
                {causer, list.positionOfOther(static_cast<std::uint32_t>(found - list.others().begin()))},
                points);
    }
}

void DependencyPoints::connect(const Dependency& dependency, PointRef causer, Points& points) const {
    const std::uint32_t wait = points.byLocation[dependency.location].find(
        waiterOf(dependency).event, [&](const Point& point) { return point.kind == kindOf(dependency); });
    points.other({dependency.location, wait}).partner = causer;
    points.other(causer).partner = {dependency.location, wait};
}

}  // namespace holos::analyzer::causes
