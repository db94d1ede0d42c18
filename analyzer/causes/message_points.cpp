// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "analyzer/causes/point_sources.h"

namespace holos::analyzer::causes {

namespace {

using replay::Call;

/// The completion of a send that waits for its receiver; nothing when it does not.
replay::ReplayedTrace::CompletionRef waitingCompletion(const replay::ReplayedTrace& trace,
                                                       std::uint32_t location, const replay::Send& send) {
    const auto completion = trace.completionOf(trace::LocationId(location), send);
    if (completion.record == nullptr || completion.record->wait <= 0) return {};
    return completion;
}

Ticks after(const Call& mine, const Call& other) {
    return std::max<Ticks>(0, mine.leave - other.leave);
}

}  // namespace

void MessagePoints::collect(std::uint32_t location, Records<Point>& points) const {
    const auto& messages = trace_.locations[location].messages;
    for (const replay::Send& send : messages.sends) addSend(location, send, points);
    for (const replay::SendCompletion& completion : messages.completions)
        if (completion.wait > 0) addCompletion(location, completion, points);
    for (const replay::Receive& receive : messages.receives) {
        if (receive.wait > 0) addReceive(location, receive, points);
        if (receive.requestLocation == location) addPost(receive, points);
    }
    for (const replay::OpenRequest& request : messages.open)
        if (request.kind == replay::RequestKind::Receive && request.completion != replay::kNone)
            addPost(trace_.locations[request.completionLocation].messages.receives[request.completion],
                    points);
}

/// A send that is waited for.
void MessagePoints::addSend(std::uint32_t location, const replay::Send& send, Records<Point>& points) const {
    if (send.matchIndex == replay::kNone) return;
    const auto& there = trace_.locations[send.matchLocation].messages;
    const replay::Receive& receive = there.receives[send.matchIndex];
    if (receive.wait > 0)
        points.push_back(
            message(location, send.call, send.event, send.matchLocation,
                    after(trace_.locations[location].messages.calls[send.call], there.calls[receive.call])));
}

/// A send that waits for its receiver.
void MessagePoints::addCompletion(std::uint32_t location, const replay::SendCompletion& completion,
                                  Records<Point>& points) const {
    const replay::Send& send = *trace_.sendOf(trace::LocationId(location), completion);
    const Call& call = trace_.locations[location].messages.calls[completion.call];
    const Call& posted =
        *trace_.postOf(trace_.locations[send.matchLocation].messages.receives[send.matchIndex]);
    // Scalasca's sign is the other way round.
    const Ticks late =
        rules_.asScalasca ? std::min<Ticks>(0, call.leave - posted.leave) : after(call, posted);
    Point point = message(location, completion.call, completion.event, send.matchLocation, late);
    point.kind = Kind::LateReceiver;
    point.wait = completion.wait;
    points.push_back(point);
}

/// A receive that waits for its sender.
void MessagePoints::addReceive(std::uint32_t location, const replay::Receive& receive,
                               Records<Point>& points) const {
    const auto& there = trace_.locations[receive.matchLocation].messages;
    const Call& call = trace_.locations[location].messages.calls[receive.call];
    Point point = message(location, receive.call, receive.event, receive.matchLocation,
                          after(call, there.calls[there.sends[receive.matchIndex].call]));
    point.kind = Kind::LateSender;
    point.wait = receive.wait;
    points.push_back(point);
}

/// The post of a receive that is waited for, in the location that posted it.
void MessagePoints::addPost(const replay::Receive& receive, Records<Point>& points) const {
    if (receive.matchIndex == replay::kNone) return;
    const replay::Send& send = trace_.locations[receive.matchLocation].messages.sends[receive.matchIndex];
    const auto [location, completion] = waitingCompletion(trace_, receive.matchLocation, send);
    if (completion == nullptr) return;
    const Call& waits = trace_.locations[location].messages.calls[completion->call];
    points.push_back(message(receive.requestLocation, receive.requestCall, receive.requestEvent, location,
                             after(*trace_.postOf(receive), waits)));
}

void MessagePoints::connect(std::uint32_t location, Points& points) const {
    const auto& messages = trace_.locations[location].messages;
    for (const replay::Send& send : messages.sends) {
        if (send.matchIndex == replay::kNone) continue;
        const replay::Receive& receive =
            trace_.locations[send.matchLocation].messages.receives[send.matchIndex];
        if (receive.wait > 0)
            join(points, {location, find(points, location, send.event, Kind::Peer)},
                 {send.matchLocation, find(points, send.matchLocation, receive.event, Kind::LateSender)});
        const auto [waiter, completion] = waitingCompletion(trace_, location, send);
        if (completion != nullptr)
            join(points, {waiter, find(points, waiter, completion->event, Kind::LateReceiver)},
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
