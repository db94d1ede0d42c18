// SPDX-License-Identifier: BSD-3-Clause
// The calls that led to events: where regions stand, and where the time between two
// events is booked.
//
//     main ──────────────────────────────────────────────
//       run ────────────────────────┐ ┌─ check ──────────
//         solve ───┐ ┌─ solve ──────┘ │
//           │send│ · · · · │recv│ · · · · · │reduce│
//
// Between send and recv the program was certainly in `run`, between recv and reduce in `main`. Where `solve`
// is entered twice from one place, only the code tells whether it may have stayed (`shared_frames.h`).
#include <algorithm>

#include "analyzer/replay/call_replay.h"

namespace holos::analyzer::replay {

void CallReplay::enterFrom(std::uint64_t event, Ticks time, RegionId region, trace::ContextId from) {
    if (from != trace::kNoContext) {
        const trace::CallingContext& call = context_.definitions[from];
        const Way way{call.frame, call.site, call.frame, from};
        if (beginsCreatedTask(region)) [[unlikely]]
            return enterCreatedTask(event, time, region, way);
        return enterAlong(event, time, region, way);
    }
    time = advance(event, time);
    stayed_ = current_;
    // What a compiler tells of is one of the functions on the stack, and only its name says which.
    const bool isFunction = context_.definitions[region].paradigm == trace::Paradigm::Compiler;
    const FrameId known = isFunction ? kByName : knownAround();
    const std::optional<NodeId> apart = placeApart(region);
    open(apart ? *apart : tree_.child(current_, region, context_.classes), event, time, known);
}

void CallReplay::enterContext(std::uint64_t event, Ticks time, trace::ContextId context) {
    knowsPaths_ = true;
    const trace::CallingContext& entered = context_.definitions[context];
    Way way{trace::kNoFrame, trace::kNoSite, entered.frame};
    if (entered.parent) {
        way.caller = context_.definitions[*entered.parent].frame;
        way.site = context_.definitions[*entered.parent].site;
    }
    enterAlong(event, time, entered.region, way);
}

void CallReplay::enterAlong(std::uint64_t event, Ticks time, RegionId region, const Way& way) {
    if (beginsTask() || teams_.parallelPending()) [[unlikely]] {
        if (!held_.empty()) release(current_, current_, trace::kNoSite);
        if (const auto apart = placeApart(region)) {
            time = advance(event, time);
            return open(*apart, event, time, way.known, way.from);
        }
    }
    const NodeId around = current_;
    const NodeId caller = paths_.of(around, knownAround(), way.caller);
    NodeId shared = sharedFrames_.stay(tree_, {left_, leftFrom_, current_}, caller, way.from);
    stayed_ = shared;
    countVisits(caller, shared);
    const NodeId entered = tree_.child(caller, region, context_.classes, way.site);
    next_ = entered;
    if (!held_.empty()) [[unlikely]]
        shared = release(shared, caller, way.site);
    current_ = shared;
    time = advance(event, time);
    next_ = kOutside;
    open(entered, event, time, way.known, way.from);
}

void CallReplay::countVisits(NodeId caller, NodeId shared) {
    const NodeId known = met_ == kOutside ? shared : std::max(current_, tree_.common(met_, caller));
    for (NodeId met = caller; met != std::min(known, shared); met = tree_[met].parent) {
        const bool isCounted = met <= known && met_ != kOutside && met > metBelow_;
        if (!isCounted) tree_[met].visits += counted_;
    }
}

/// Each of them came as the first: what that newly met, they did.
void CallReplay::standsFor(std::uint64_t calls, Ticks span) {
    if (stack_.empty()) return;
    special_.spread(span);
    tree_[current_].visits += counted_ * (calls - 1);
    if (!knowsPaths_) return;
    for (NodeId met = tree_[current_].parent; met > stayed_; met = tree_[met].parent)
        tree_[met].visits += counted_ * (calls - 1);
}

std::optional<NodeId> CallReplay::placeApart(RegionId region) {
    if (beginsTask()) return beginTaskBody(region);
    // A worker continues its master's call path, of which its own stack knows nothing.
    const bool isShare = teams_.parallelPending() && !teams_.stay().asMaster &&
                         context_.classes[region.index()].special == trace::Special::Parallel;
    if (isShare)
        return tree_.child(current_, region, context_.classes,
                           teams_.stay().origin ? teams_.stay().origin->site : trace::kNoSite);
    return std::nullopt;
}

FrameId CallReplay::knownAround() const {
    if (!stack_.empty()) return stack_.back().known;
    return run_.implicitStack.empty() ? kByName : run_.implicitStack.back().known;
}

Ticks CallReplay::prepare(std::uint64_t event, Ticks time) {
    if (!held_.empty()) release(current_, current_, trace::kNoSite);
    if (clock_ == nullptr) return time;
    const Ticks corrected = clock_->at(event, time, current_);
    if (clock_->counting() != counting_) [[unlikely]]
        setCounting(event, clock_->counting());
    return corrected;
}

/// Calls that are open when counting begins are visits, too.
void CallReplay::setCounting(std::uint64_t event, Counting counting) {
    const bool begins = counting_ == Counting::NotYet;
    counting_ = counting;
    counted_ = counting == Counting::Now ? 1 : 0;
    if (counting == Counting::NotYet)
        countedEvents_ = {0, 0};
    else if (counting == Counting::Now)
        countedEvents_ = {event, ~std::uint64_t{0}};
    else
        countedEvents_.to = begins ? 0 : event;
    if (!begins) return;
    for (NodeId open = current_; open != kOutside; open = tree_[open].parent) ++tree_[open].visits;
}

void CallReplay::hold(const HeldEvent& event, const CounterValue* values) {
    if (held_.isFull()) release(current_, current_, trace::kNoSite);
    held_.add(event, values);
    prepares_ = true;
}

NodeId CallReplay::release(NodeId shared, NodeId caller, trace::SiteId site) {
    prepares_ = clock_ != nullptr;
    const NodeId around = current_;
    NodeId here = shared;
    held_.take([&](const HeldEvent& held, const CounterValue* values) {
        current_ = held.context ? around : here;
        switch (held.kind) {
            case HeldEvent::Kind::Counters:
                return read(held, values);
            case HeldEvent::Kind::Fork:
                here = caller;
                return beginFork(held, caller);
            case HeldEvent::Kind::TeamBegin:
                return beginTeam(held.event, held.time, held.what, site);
        }
    });
    return here;
}

void CallReplay::metric(std::uint64_t event, Ticks time, trace::MetricClassId metricClass,
                        const CounterValue* values, std::size_t count,
                        std::optional<trace::ContextId> context) {
    const HeldEvent reading{.kind = HeldEvent::Kind::Counters,
                            .event = event,
                            .time = time,
                            .what = static_cast<std::uint32_t>(metricClass.index()),
                            .count = static_cast<std::uint32_t>(count),
                            .context = context};
    if (!knowsPaths_ || (context && held_.empty())) return read(reading, values);
    // The next event tells what has been common to both since the last one, and the differences belong there.
    hold(reading, values);
}

void CallReplay::read(const HeldEvent& reading, const CounterValue* values) {
    const trace::MetricClassId metricClass(reading.what);
    const bool isThread = context_.definitions[self_].kind == trace::Location::Kind::Thread;
    NodeId node = isThread ? current_ : kProgram;
    if (isThread && reading.context) node = paths_.ofSample(current_, knownAround(), *reading.context);
    if (reading.context && started_ && (knowsPaths_ || sharing_.isOn())) {
        // A sample does not end the interval between two events.
        const Ticks time =
            clock_ != nullptr ? clock_->at(reading.event, reading.time, current_) : reading.time;
        if (time < kLatest) sampledUntil_ = std::max(sampledUntil_, time);
        const Ticks weight = sharing_.timeOf(metricClass, values, reading.count);
        if (isThread && weight != 0) noteSample(*reading.context, time, weight);
    } else {
        advance(reading.event, reading.time);
    }
    counters_.record(node, metricClass, values, reading.count, counted_ != 0);
}

}  // namespace holos::analyzer::replay
