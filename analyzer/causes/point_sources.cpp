// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/point_sources.h"

#include <algorithm>
#include <map>
#include <vector>

namespace holos::analyzer::causes {

using replay::ThreadStart;

CreationPoints::CreationPoints(const replay::ReplayedTrace& trace, const paths::MergedTree& merged,
                               Rules rules)
    : merged_(merged), ends_(trace.locations.size()) {
    if (rules.asScalasca) return;  // for which threads have nothing to do with each other
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::pair<End, End>> threads;
    for (std::uint32_t i = 0; i < trace.locations.size(); ++i)
        for (const ThreadStart& start : trace.locations[i].threads.starts) {
            auto& [creation, begin] = threads[{start.contingent, start.number}];
            (start.begins ? begin : creation) = {i, &start};
        }
    for (const auto& [number, ends] : threads) {
        const auto& [creation, begin] = ends;
        if (creation.record == nullptr || begin.record == nullptr) continue;
        creations_.push_back(ends);
        for (const End& end : {creation, begin}) ends_[end.location].push_back(end);
    }
}

void CreationPoints::collect(std::uint32_t location, Records<Point>& points) const {
    for (const End& end : ends_[location]) {
        Point point;
        point.event = end.record->event;
        point.slice = end.record->slice;
        point.path = pathOf(merged_, location, end.record->node);
        point.kind = kindOf(end);
        points.push_back(point);
    }
}

void CreationPoints::connect(Points& points) const {
    for (const auto& [creation, begin] : creations_) {
        const PointRef creates = find(creation, points);
        const PointRef begins = find(begin, points);
        points.other(creates).partner = begins;
        points.other(begins).partner = creates;
    }
}

PointRef CreationPoints::find(const End& end, const Points& points) {
    return {end.location, points.byLocation[end.location].find(end.record->event, [&](const Point& point) {
                return point.kind == kindOf(end);
            })};
}

using patterns::Dependency;
using replay::RecordRef;

DependencyPoints::DependencyPoints(const patterns::JudgedTrace& run, const paths::MergedTree& merged,
                                   Rules rules)
    : trace_(run.trace),
      waits_(run.waits),
      merged_(merged),
      rules_(rules),
      causes_(run.trace.locations.size()) {
    for (std::uint32_t i = 0; i < waits_.size(); ++i)
        for (std::uint32_t j = 0; j < waits_[i].dependencies.size(); ++j)
            if (const Dependency& dependency = waits_[i].dependencies[j]; counts(dependency))
                causes_[dependency.causer.location].push_back({i, j});
}

/// Nobody is to blame for waiting for oneself.
bool DependencyPoints::counts(const Dependency& dependency) const {
    return dependency.causer.location != dependency.waiter.location && !dependency.isExplained &&
           (dependency.isKnownToScalasca || !rules_.asScalasca);
}

void DependencyPoints::collect(std::uint32_t location, Records<Point>& points) const {
    points.reserve(points.size() + waits_[location].dependencies.size() + causes_[location].size());
    for (const Dependency& dependency : waits_[location].dependencies)
        if (counts(dependency)) points.push_back(waiter(dependency));
    for (const RecordRef dependency : causes_[location]) points.push_back(causer((*this)[dependency]));
}

Point DependencyPoints::point(const patterns::End& end, const patterns::End& other) const {
    Point point;
    point.event = end.event;
    point.before = end.leave - end.begin;
    point.slice = end.slice;
    point.path = pathOf(merged_, end.location, end.node);
    point.process = static_cast<std::uint32_t>(trace_.definitions.locations[other.location].process.index());
    return point;
}

namespace {

/// What is no waiting between the start of a call, or of a row of polls, and what ends its waiting.
Ticks besideWaiting(Ticks begin, Ticks end, Ticks wait) {
    return std::max<Ticks>(0, end - begin - wait);
}

}  // namespace

Point DependencyPoints::waiter(const Dependency& dependency) const {
    Point waiter = point(dependency.waiter, dependency.causer);
    waiter.kind = dependency.kind;
    waiter.wait = dependency.wait;
    waiter.before = std::min(waiter.before, waiter.wait);
    waiter.arrival = besideWaiting(dependency.waiter.begin, dependency.causer.begin, waiter.wait);
    return waiter;
}

Point DependencyPoints::causer(const Dependency& dependency) const {
    const patterns::End& end = dependency.causer;
    Point causer = point(end, dependency.waiter);
    causer.isInBarrier = end.isInBarrier;
    if (end.leave > end.begin) causer.before -= std::max<Ticks>(0, end.leave - dependency.waiter.leave);
    return causer;
}

void DependencyPoints::connect(Points& points) const {
    for (std::uint32_t causer = 0; causer < causes_.size(); ++causer) connectCausesOf(causer, points);
}

/// Very many may wait for one event. Their points at the causer are in the order of `causes_`, so that the
/// first that is free is the one looked for.
void DependencyPoints::connectCausesOf(std::uint32_t causer, Points& points) const {
    std::vector<RecordRef> byEvent = causes_[causer];
    std::ranges::stable_sort(
        byEvent, [&](RecordRef a, RecordRef b) { return (*this)[a].causer.event < (*this)[b].causer.event; });
    const auto isFree = [](const Point& point) {
        return point.kind == Kind::Peer && point.partner.location == kNone;
    };
    const PointList& list = points.byLocation[causer];
    auto free = list.others().begin();
    for (const RecordRef ref : byEvent) {
        const Dependency& dependency = (*this)[ref];
        free = std::find_if(free, list.others().end(), [&](const Point& point) {
            return point.event >= dependency.causer.event && isFree(point);
        });
        const auto process = trace_.definitions.locations[ref.location].process.index();
        const auto found = std::find_if(free, list.others().end(), [&](const Point& point) {
            return isFree(point) && point.process == process;
        });
        const PointRef cause{causer,
                             list.positionOfOther(static_cast<std::uint32_t>(found - list.others().begin()))};
        // One event may end several waits of a kind, each for another process.
        const Point mine = waiter(dependency);
        const PointRef wait{
            ref.location, points.byLocation[ref.location].find(mine.event, [&](const Point& point) {
                return point.kind == mine.kind && point.process == mine.process && point.wait == mine.wait;
            })};
        points.other(wait).partner = cause;
        points.other(cause).partner = wait;
    }
}

namespace {

using replay::Call;

Ticks after(const Call& mine, const Call& other) {
    return std::max<Ticks>(0, mine.leave - other.leave);
}

}  // namespace

void MessagePoints::collect(std::uint32_t location, Records<Point>& points) const {
    const replay::MessageRecords& local = messages(location);
    const patterns::LocationWaits& waits = waits_[location];
    for (std::uint32_t i = 0; i < local.sends.size(); ++i) addSend(location, i, points);
    for (std::uint32_t i = 0; i < local.completions.size(); ++i)
        if (waits.completions[i] > 0) addCompletion(location, i, points);
    for (std::uint32_t i = 0; i < local.receives.size(); ++i) {
        if (waits.receives[i] > 0) addReceive(location, i, points);
        if (local.receives[i].requestLocation == location) addPost({location, i}, points);
    }
    for (const replay::OpenRequest& request : local.open)
        if (request.kind == replay::RequestKind::Receive && request.completion != replay::kNone)
            addPost({request.completionLocation, request.completion}, points);
}

/// A send that is waited for.
void MessagePoints::addSend(std::uint32_t location, std::uint32_t position, Records<Point>& points) const {
    const RecordRef received = matches_.receiveOf[location][position];
    if (!received.isKnown() || waits_[received.location].receives[received.position] <= 0) return;
    const replay::MessageRecords& there = messages(received.location);
    const replay::Send& send = messages(location).sends[position];
    points.push_back(message(
        location, send.call, send.event, received.location,
        after(messages(location).calls[send.call], there.calls[there.receives[received.position].call])));
}

/// A send that waits for its receiver.
void MessagePoints::addCompletion(std::uint32_t location, std::uint32_t position,
                                  Records<Point>& points) const {
    const replay::SendCompletion& completion = messages(location).completions[position];
    const RecordRef received =
        matching::receiveOf(matches_, trace_.sendOf(trace::LocationId(location), completion));
    const Call& call = messages(location).calls[completion.call];
    const Call& posted = *trace_.postOf(messages(received.location).receives[received.position]);
    // Scalasca's sign is the other way round.
    const Ticks late =
        rules_.asScalasca ? std::min<Ticks>(0, call.leave - posted.leave) : after(call, posted);
    Point point = message(location, completion.call, completion.event, received.location, late);
    point.kind = Kind::LateReceiver;
    point.wait = waits_[location].completions[position];
    point.arrival = besideWaiting(call.enter, posted.enter, point.wait);
    points.push_back(point);
}

/// A receive that waits for its sender.
void MessagePoints::addReceive(std::uint32_t location, std::uint32_t position, Records<Point>& points) const {
    const replay::Receive& receive = messages(location).receives[position];
    const RecordRef sent = matches_.sendOf[location][position];
    const replay::MessageRecords& there = messages(sent.location);
    Point point =
        message(location, receive.call, receive.event, sent.location,
                after(messages(location).calls[receive.call], there.calls[there.sends[sent.position].call]));
    point.kind = Kind::LateSender;
    point.wait = waits_[location].receives[position];
    points.push_back(point);
}

RecordRef MessagePoints::waitingCompletion(RecordRef send) const {
    const RecordRef completion =
        trace_.completionOf(trace::LocationId(send.location), messages(send.location).sends[send.position]);
    if (!completion.isKnown() || waits_[completion.location].completions[completion.position] <= 0) return {};
    return completion;
}

/// The post of a receive that is waited for, in the location that posted it.
void MessagePoints::addPost(RecordRef received, Records<Point>& points) const {
    const RecordRef sent = matches_.sendOf[received.location][received.position];
    if (!sent.isKnown()) return;
    const RecordRef waiter = waitingCompletion(sent);
    if (!waiter.isKnown()) return;
    const replay::Receive& receive = messages(received.location).receives[received.position];
    const replay::MessageRecords& there = messages(waiter.location);
    const Call& waits = there.calls[there.completions[waiter.position].call];
    points.push_back(message(receive.requestLocation, receive.requestCall, receive.requestEvent,
                             waiter.location, after(*trace_.postOf(receive), waits)));
}

void MessagePoints::connect(std::uint32_t location, Points& points) const {
    const auto& sends = messages(location).sends;
    for (std::uint32_t i = 0; i < sends.size(); ++i) {
        const RecordRef received = matches_.receiveOf[location][i];
        if (!received.isKnown()) continue;
        const replay::Receive& receive = messages(received.location).receives[received.position];
        if (waits_[received.location].receives[received.position] > 0)
            join(points, {location, find(points, location, sends[i].event, Kind::Peer)},
                 {received.location, find(points, received.location, receive.event, Kind::LateSender)});
        const RecordRef waiter = waitingCompletion({location, i});
        if (!waiter.isKnown()) continue;
        const std::uint64_t completed = messages(waiter.location).completions[waiter.position].event;
        join(points, {waiter.location, find(points, waiter.location, completed, Kind::LateReceiver)},
             {receive.requestLocation,
              find(points, receive.requestLocation, receive.requestEvent, Kind::Peer)});
    }
}

Point MessagePoints::message(std::uint32_t location, std::uint32_t call, std::uint64_t event,
                             std::uint32_t other, Ticks completion) const {
    const Call& around = trace_.locations[location].messages.calls[call];
    Point point;
    point.event = event;
    point.before = around.leave - around.enter - completion;
    point.slice = around.slice;
    point.path = pathOf(merged_, location, around.node);
    point.process = static_cast<std::uint32_t>(trace_.definitions.locations[other].process.index());
    return point;
}

std::uint32_t MessagePoints::find(const Points& points, std::uint32_t location, std::uint64_t event,
                                  Kind kind) {
    // One event may be both, when clocks disagree.
    return points.byLocation[location].find(event, [&](const Point& point) { return point.kind == kind; });
}

void MessagePoints::join(Points& points, PointRef a, PointRef b) {
    points.other(a).partner = b;
    points.other(b).partner = a;
}

}  // namespace holos::analyzer::causes
