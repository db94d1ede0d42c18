// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "analyzer/causes/point_sources.h"

namespace holos::analyzer::causes {

namespace {

using replay::Call;

/// The completion of a send that waits for its receiver; nothing when it does not.
const replay::SendCompletion* waitingCompletion(const replay::MessageRecords& messages,
                                                const replay::Send& send) {
    if (send.completion == replay::kNone) return nullptr;
    const replay::SendCompletion& completion = messages.completions[send.completion];
    return completion.wait > 0 ? &completion : nullptr;
}

Ticks after(const Call& mine, const Call& other) {
    return std::max<Ticks>(0, mine.leave - other.leave);
}

}  // namespace

void MessagePoints::collect(std::uint32_t location, Records<Point>& points) const {
    const auto& messages = trace_.locations[location].messages;
    for (const replay::Send& send : messages.sends) {
        if (send.matchIndex == replay::kNone) continue;
        const auto& there = trace_.locations[send.matchLocation].messages;
        const replay::Receive& receive = there.receives[send.matchIndex];
        if (receive.wait > 0)
            points.push_back(message(location, send.call, send.event, send.matchLocation,
                                     after(messages.calls[send.call], there.calls[receive.call])));
        if (const auto* completion = waitingCompletion(messages, send)) {
            const Call& call = messages.calls[completion->call];
            const Call& posted = there.calls[receive.requestCall];
            // Scalasca's sign is the other way round.
            const Ticks late =
                rules_.asScalasca ? std::min<Ticks>(0, call.leave - posted.leave) : after(call, posted);
            Point point = message(location, completion->call, completion->event, send.matchLocation, late);
            point.kind = Kind::LateReceiver;
            point.wait = completion->wait;
            points.push_back(point);
        }
    }
    for (const replay::Receive& receive : messages.receives) {
        if (receive.matchIndex == replay::kNone) continue;
        const auto& there = trace_.locations[receive.matchLocation].messages;
        const replay::Send& send = there.sends[receive.matchIndex];
        if (receive.wait > 0) {
            Point point = message(location, receive.call, receive.event, receive.matchLocation,
                                  after(messages.calls[receive.call], there.calls[send.call]));
            point.kind = Kind::LateSender;
            point.wait = receive.wait;
            points.push_back(point);
        }
        if (const auto* completion = waitingCompletion(there, send))
            points.push_back(
                message(location, receive.requestCall, receive.requestEvent, receive.matchLocation,
                        after(messages.calls[receive.requestCall], there.calls[completion->call])));
    }
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
        if (const auto* completion = waitingCompletion(messages, send))
            join(points, {location, find(points, location, completion->event, Kind::LateReceiver)},
                 {send.matchLocation, find(points, send.matchLocation, receive.requestEvent, Kind::Peer)});
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
