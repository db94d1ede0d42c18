// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/processor_shortage.h"

#include <algorithm>

namespace holos::analyzer::replay {

using trace::Special;

namespace {

bool isBarrier(Special special) {
    return special == Special::ExplicitBarrier || special == Special::ImplicitBarrier;
}

/// The class of calls in whose metrics the waits of a call stand that has no record of messages.
std::optional<trace::TimeClass> waitingClassOf(const trace::RegionClass& region) {
    const auto known =
        std::ranges::find_if(trace::kWaitingClasses, [&](auto one) { return region.has(one); });
    return known == std::end(trace::kWaitingClasses) ? std::nullopt : std::optional(*known);
}

/// The class of calls in whose metrics the waits of any call stand.
std::optional<trace::TimeClass> timeClassOfCall(const trace::RegionClass& region) {
    using enum trace::TimeClass;
    if (const auto known = waitingClassOf(region)) return known;
    for (const trace::TimeClass one : {MpiPointToPoint, MpiSyncCollective, MpiCollective})
        if (region.has(one)) return one;
    return std::nullopt;
}

/// What the call waits for, if it does, is known only when the calls of others are.
bool mayWait(const trace::RegionClass& region) {
    return region.has(trace::TimeClass::Mpi) || isBarrier(region.special) ||
           waitingClassOf(region).has_value();
}

/// A call of the system in which the thread does not wait for another one, nor lets others have its
/// processor. Where it could run and had none, it did not sleep.
bool mayNeedProcessor(const trace::RegionClass& region) {
    return region.has(trace::TimeClass::SystemWaiting) && region.special == Special::None &&
           region.call == trace::CallKind::NotMpi;
}

}  // namespace

Ticks longestWakeOf(const trace::Definitions& definitions) {
    constexpr double kSeconds = 500e-6;
    return static_cast<Ticks>(kSeconds * static_cast<double>(definitions.clock.ticksPerSecond));
}

ProcessorShortage::ProcessorShortage(const Context& context, bool isAlone, const Parts& parts)
    : context_(context), isAlone_(isAlone), longestWake_(longestWakeOf(context.definitions)), parts_(parts) {}

/// What a call of MPI or a barrier of OpenMP waits for is known later: as long as that lasts it needs no
/// processor. At a barrier of its own the only thread of a process waits for nobody, and reading what is in
/// memory does not sleep.
void ProcessorShortage::passUntil(Ticks time) {
    const TimeOff off = take();
    if (!parts_.times.haveStarted() || !parts_.times.needsNoChange(time)) return;
    if (parts_.teams.parallelPending()) {
        beforeFork_ += std::min(off.without, time - now());
        return;
    }
    const bool isBesideRegion = parts_.teams.inTeam() && parts_.stack.depth() == parts_.stack.base();
    if (isBesideRegion || parts_.stays.isForking() || parts_.tasks.isBetweenRegions()) return;
    const NodeId node = parts_.stack.current();
    const bool waitsForNobody = node != kOutside && ((isAlone_ && isBarrier(tree()[node].special)) ||
                                                     mayNeedProcessor(parts_.stack.classOf(node)));
    if (parts_.sampled.isComputation(node) || waitsForNobody) {
        const Ticks own = std::min(off.without, time - now());
        passBefore(off.without - own, now());
        if (own > 0) parts_.stack.passTo(now() + own, parts_.stack.child(node, trace::kShortageRegion));
    } else if (node != kOutside && mayWait(parts_.stack.classOf(node))) {
        noteInCall(node, time, off);
    }
}

/// What is longer than the time since `begin` was before it: in the polls that ended then, if nothing else
/// did, and between them where they stand for several.
void ProcessorShortage::passBefore(Ticks before, Ticks begin) {
    if (before <= 0) return;
    parts_.special.pollsHadNoProcessor(before - passBetweenCalls(before), begin);
}

/// Nobody knows when it was among the calls and the times between them: each has a part as long as it is.
Ticks ProcessorShortage::passBetweenCalls(Ticks before) {
    const bool areOver =
        several_ && parts_.stack.depth() < several_->depth && several_->slice == currentSlice();
    if (!areOver || several_->span <= 0) return 0;
    const NodeId around = several_->around;
    const Ticks between = std::clamp<Ticks>(several_->span - (now() - several_->enter), 0, several_->span);
    const double part = static_cast<double>(between) / static_cast<double>(several_->span);
    const auto moved = static_cast<Ticks>(static_cast<double>(std::min(before, several_->span)) * part);
    if (moved <= 0 || moved > tree()[around].exclusive || !parts_.sampled.isComputation(around)) return 0;
    parts_.stack.moveTime(moved, around, parts_.stack.child(around, trace::kShortageRegion));
    return moved;
}

void ProcessorShortage::standsFor(NodeId around, Ticks span) {
    if (isTold() && !several_)
        several_ = SeveralCalls{around, parts_.stack.depth(), now(), span, currentSlice()};
}

Ticks ProcessorShortage::sinceFork(const TimeOff& off, Ticks time) const {
    const TeamRecorder::Stay& stay = parts_.teams.stay();
    const auto forked = off.asleepOrWithout == 0 || stay.asMaster
                            ? std::nullopt
                            : context_.board.forkTime(stay.team.comm, stay.team.instance);
    if (!forked || time - *forked < longestWake_) return off.without;
    return std::min(off.without + off.asleepOrWithout, time - *forked);
}

void ProcessorShortage::noteInCall(NodeId node, Ticks end, const TimeOff& off) {
    const Frame* const call = parts_.stack.innermost();
    if (call == nullptr || call->node != node) return;
    const Special special = tree()[node].special;
    const bool isPlain = special == Special::None || special == Special::WithinMpi;
    if (call->call == kNone && isPlain) return;  // nobody asks at its end
    const bool isKnown =
        !inCalls_.empty() && inCalls_.back().node == node && inCalls_.back().enter == call->enter;
    if (!isKnown) {
        // All of its time so far is its own, if it has called nothing.
        const NodeId left = parts_.stack.left();
        const bool hasCalled =
            (left != kOutside && tree()[left].parent == node) || tree()[node].special == Special::TaskWait;
        const Ticks own = hasCalled ? 0 : now() - call->enter;
        inCalls_.push_back({node, call->enter, {}, 0, quiet(node) - own});
    }
    inCalls_.back().slice = currentSlice();
    const Ticks inCall = end - call->enter;
    inCalls_.back().off += off.upTo(inCall);
    if (!isKnown) passBefore(off.without - inCall, call->enter);
}

void ProcessorShortage::noteAtFork(std::uint64_t event, NodeId node) {
    const Ticks passed = std::exchange(beforeFork_, 0);
    if (!parts_.teams.parallelPending())
        parts_.teams.noteShortage(
            ForkShortage{event, parts_.stack.child(node, trace::kShortageRegion), passed});
}

void ProcessorShortage::noteOf(const Frame& left) {
    // Calls around it go on; those within it that were not left end here, unnoticed.
    const auto after = std::ranges::find(inCalls_.rbegin(), inCalls_.rend(), left.node, &InCall::node);
    if (after == inCalls_.rend() || after->enter != left.enter) return;
    const InCall found = *after;
    inCalls_.erase(std::prev(after.base()), inCalls_.end());
    const Special special = tree()[left.node].special;
    if (left.call == kNone && special == Special::Poll)
        return parts_.special.pollHadNoProcessor(found.off.without);
    // What is known only when the calls of others are may be none.
    const NodeId below =
        found.off.without != 0 ? parts_.stack.child(left.node, trace::kShortageRegion) : kOutside;
    if (left.call != kNone) {
        const auto within = timeClassOfCall(parts_.stack.classOf(left.node));
        if (found.off.without != 0)
            parts_.messages.noteShortage({left.call, within, below, found.off.without});
    } else if (isBarrier(special)) {
        parts_.teams.noteShortageAtBarrier(below, currentSlice(), found.off);
    } else if (const auto within = waitingClassOf(parts_.stack.classOf(left.node))) {
        // The last part of a wait for tasks has a slice of its own.
        const std::uint32_t slice = special == Special::TaskWait ? currentSlice() : found.slice;
        parts_.teams.noteShortage(PlainShortage{*within, left.node, below, slice, left.enter, now(),
                                                quiet(left.node) - found.quiet, found.off});
    }
}

}  // namespace holos::analyzer::replay
