// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/call_replay.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace holos::analyzer::replay {

namespace {

bool isOnlyThread(const trace::Definitions& definitions, trace::LocationId self) {
    const auto& all = definitions[definitions[self].process].threads;
    return std::ranges::none_of(all, [&](trace::LocationId other) {
        return other != self && definitions[other].kind != trace::Location::Kind::Metric;
    });
}

/// Of the trace, when nothing was counted yet. Only in an analysis of a range is it not counted itself.
ReadingMoment beginBy(const Clock* clock) {
    const bool isCounted = clock == nullptr || clock->counting() == Counting::Now;
    return {isCounted ? 0 : clock->later(0), 0, isCounted};
}

}  // namespace

CallReplay::CallReplay(const Context& context, trace::LocationId self, Clock* clock)
    : context_(context),
      self_(self),
      isAlone_(isOnlyThread(context.definitions, self)),
      prepares_(clock != nullptr),
      knowsPaths_(context.definitions.attributeOfCallPaths.has_value()),
      log_(context.definitions, context.definitions[self].reference),
      stack_(context, self),
      teams_(context.memory),
      tasks_(context, stack_, teams_, log_),
      stays_(context, self, stack_, tasks_, teams_, log_),
      times_(clock, context.definitions.clock, stack_, stays_, teams_, log_),
      seen_(stack_),
      sampled_(context, stack_, seen_),
      ways_(context, stack_, seen_),
      messages_(self, log_, context.memory),
      special_(*this, context.definitions, context.memory),
      shortage_(context, isAlone_, {stack_, teams_, tasks_, stays_, times_, sampled_, special_, messages_}),
      counters_(context.definitions, self, beginBy(clock)) {}

// Time.

Ticks CallReplay::prepare(std::uint64_t event, Ticks time) {
    releaseHere();
    time = times_.correct(event, time);
    shortage_.pass(time);
    prepares_ = mustPrepare();
    return time;
}

void CallReplay::setTimeOff(const TimeOff& off) {
    shortage_.set(off);
    prepares_ = prepares_ || !off.isNone();
}

TimeOff CallReplay::takeTimeOff() {
    const TimeOff off = shortage_.take();
    prepares_ = mustPrepare();
    return off;
}

void CallReplay::bufferFlush(std::uint64_t event, Ticks time, Ticks stop) {
    if (!times_.haveStarted()) advance(event, time);
    times_.flush(time, stop);
}

void CallReplay::measurement(std::uint64_t event, Ticks time, bool on) {
    if (on) {
        leave(event, time, trace::kOffRegion);
        isInPeriod_ = true;
        return periods_.push_back({now(), now()});
    }
    enter(event, time, trace::kOffRegion);
    if (std::exchange(isInPeriod_, false)) periods_.back().end = now();
    stack_.profile().leaveOut(current());  // it is no cause of anything
}

/// What a master needs to fork and join counts for the parallel region, and what passes before a task has
/// begun for the task.
void CallReplay::shareInterval(Ticks end) {
    if (stays_.isForking() || tasks_.isBetweenRegions())
        sampled_.leaveOut();
    else
        sampled_.share(end);
}

// Calls.

void CallReplay::enterFrom(std::uint64_t event, Ticks time, RegionId region, trace::ContextId from) {
    if (from != trace::kNoContext) {
        const CallWays::Way way = ways_.from(from);
        if (tasks_.beginsCreated(region)) [[unlikely]]
            return enterCreatedTask(event, time, region, way);
        return enterAlong(event, time, region, way);
    }
    advance(event, time);
    ways_.stepWithout();
    passedAt_ = current();
    // What a compiler tells of is one of the functions on the stack, and only its name says which.
    const bool isFunction = context_.definitions[region].paradigm == trace::Paradigm::Compiler;
    const FrameId known = isFunction ? kByName : tasks_.knownAround();
    const std::optional<NodeId> apart = placeApart(region);
    open(apart ? *apart : stack_.child(current(), region), event, known);
}

void CallReplay::enterContext(std::uint64_t event, Ticks time, trace::ContextId context) {
    knowsPaths_ = true;
    enterAlong(event, time, context_.definitions[context].region, ways_.into(context));
}

void CallReplay::enterAlong(std::uint64_t event, Ticks time, RegionId region, const CallWays::Way& way) {
    if (tasks_.isBeginning()) [[unlikely]] {
        releaseHere();
        advance(event, time);
        return open(tasks_.beginBody(region), event, way.known, way.from);
    }
    if (teams_.parallelPending()) [[unlikely]] {
        releaseHere();
        if (const auto share = stays_.shareOf(region)) {
            advance(event, time);
            return open(*share, event, way.known, way.from);
        }
    }
    CallWays::Step step = ways_.step(way, tasks_.knownAround());
    const NodeId entered = stack_.child(step.caller, region, way.site);
    sampled_.leadTo(entered);
    if (!held_.empty()) [[unlikely]]
        step.shared = release(step.shared, step.caller, way.site);
    stack_.goTo(step.shared);
    passedAt_ = step.shared;
    advance(event, time);
    sampled_.leadTo(kOutside);
    open(entered, event, way.known, way.from);
}

void CallReplay::enterCreatedTask(std::uint64_t event, Ticks time, RegionId region,
                                  const CallWays::Way& way) {
    releaseHere();
    advance(event, time);
    open(tasks_.beginCreatedBody(region, way.caller, way.site), event, way.known);
}

std::optional<NodeId> CallReplay::placeApart(RegionId region) {
    if (tasks_.isBeginning()) return tasks_.beginBody(region);
    return stays_.shareOf(region);
}

void CallReplay::enterSpecial(std::uint64_t event, NodeId node, trace::Special special) {
    if (special == trace::Special::TaskCreate && knowsPaths_) tasks_.noteCreation();
    special_.enter(event, node, special, stack_.left());
    if (special == trace::Special::Parallel) shortage_.enterParallel(event, node);
}

void CallReplay::standsFor(std::uint64_t calls, Ticks span) {
    if (stack_.depth() == 0) return;
    special_.spread(span);
    shortage_.standsFor(knowsPaths_ ? passedAt_ : tree()[current()].parent, span);
    prepares_ = mustPrepare();
    stack_.visit(current(), calls - 1);
    if (knowsPaths_) ways_.repeat(calls);
    if (listener_ != nullptr) listener_->standsFor(calls);
}

void CallReplay::leaveSpecial(const Frame& left) {
    special_.leave(left, now());
    shortage_.leave(left);
}

void CallReplay::tellOf(const Frame& left) {
    const LocalTree::Node& node = tree()[left.node];
    // No calls, only where others stand.
    if (left.node == kOutside || left.node == kProgram || node.adopted) return;
    listener_->left({left.node, node.region, left.enter, now(), stack_.frames(), &tree()});
}

void CallReplay::closeDownTo(std::size_t depth) {
    while (stack_.depth() > depth) pop();
    stack_.goToTop();
}

void CallReplay::suspendMovingTask() {
    if (!movingTasks_.running()) return;
    closeDownTo(std::min(movingTasks_.running()->depth, stack_.depth()));
    movingTasks_.park();
}

void CallReplay::enterTask(std::uint64_t event, Ticks time, RegionId region, std::uint64_t number) {
    advance(event, time);
    suspendMovingTask();
    const std::size_t depth = stack_.depth();
    const NodeId node = stack_.child(current(), region);
    open(node, event, kByName);
    movingTasks_.begin({number, node, depth});
}

void CallReplay::leaveTask(std::uint64_t event, Ticks time, RegionId, std::uint64_t number) {
    if (movingTasks_.running() && movingTasks_.running()->number == number) {
        advance(event, time);
        closeDownTo(std::min(movingTasks_.running()->depth, stack_.depth()));
        return movingTasks_.end();
    }
    // One that was suspended here has gone on since the last event, unless another one runs.
    const auto node = movingTasks_.endParked(number);
    const NodeId around = current();
    if (node && !movingTasks_.running()) stack_.goTo(*node);
    advance(event, time);
    stack_.goTo(around);
}

bool CallReplay::isInTask(RegionId region) const {
    const auto frames = std::span(stack_.frames());
    const auto inTask = frames.subspan(std::min(movingTasks_.running()->depth, frames.size()));
    return std::ranges::any_of(inTask,
                               [&](const Frame& frame) { return tree()[frame.node].region == region; });
}

bool CallReplay::unwindTo(std::uint64_t event, Ticks time, RegionId region) {
    const std::vector<Frame>& frames = stack_.frames();
    std::size_t depth = frames.size();
    while (depth > stack_.base() && tree()[frames[depth - 1].node].region != region) --depth;
    const std::string& name = context_.definitions[region].name;
    if (depth <= stack_.base()) {
        log_.add(Trouble::UnbalancedCalls, "a leave of \"" + name + "\" without its enter was left out",
                 event, time);
        return false;
    }
    log_.add(Trouble::UnbalancedCalls,
             "the leave of \"" + name +
                 "\" comes before those of regions inside of it; "
                 "they were left with it",
             event, time);
    closeDownTo(depth);
    return true;
}

bool CallReplay::mayPassOver(const trace::QuietCalls& calls) const {
    const bool isPlain = times_.haveStarted() && !tasks_.isRunning() && held_.empty() && !knowsPaths_ &&
                         !sampled_.isOn() && !context_.definitions.attributeOfTasks &&
                         current() == stack_.top();
    if (times_.mayCount() || !isPlain ||
        stack_.depth() - std::min(stack_.base(), stack_.depth()) < calls.left.size())
        return false;
    return std::equal(
        calls.left.begin(), calls.left.end(), stack_.frames().rbegin(),
        [&](RegionId region, const Frame& frame) { return tree()[frame.node].region == region; });
}

bool CallReplay::passOver(const trace::QuietCalls& calls) {
    if (!mayPassOver(calls)) return false;
    for (const trace::QuietCalls::Path& path : calls.met) {
        const std::vector<Frame>& frames = stack_.frames();
        NodeId node = path.left < frames.size() ? frames[frames.size() - 1 - path.left].node : kOutside;
        for (const RegionId region : path.regions) node = stack_.child(node, region);
    }
    advance(calls.end, calls.latest);
    for (std::size_t i = 0; i < calls.left.size(); ++i) pop();
    for (const RegionId region : calls.entered) open(stack_.child(current(), region), calls.end, kByName);
    stack_.forgetLeft();  // something else than what was left before them
    return true;
}

std::uint32_t CallReplay::currentCall(std::uint64_t event) {
    Frame* const frame = stack_.innermost();
    if (frame == nullptr)
        return messages_.openCall(kOutside, trace::CallKind::NotMpi, now(), beginSlice(kOutside, 0), event);
    if (frame->call == kNone)
        frame->call = messages_.openCall(frame->node, classOf(frame->node).call, frame->enter,
                                         beginSlice(frame->node, now() - frame->enter), event);
    return frame->call;
}

// Events that are held back until the next one tells where they belong.

void CallReplay::hold(const HeldEvent& event, const CounterValue* values) {
    if (held_.isFull()) releaseHere();
    held_.add(event, values);
    prepares_ = true;
}

void CallReplay::releaseHere() {
    if (!held_.empty()) release(current(), current(), trace::kNoSite);
}

NodeId CallReplay::release(NodeId shared, NodeId caller, trace::SiteId site) {
    const TimeOff last = takeTimeOff();
    const NodeId around = current();
    NodeId here = shared;
    held_.take([&](const HeldEvent& held, const CounterValue* values) {
        const bool isAround = held.context || held.kind == HeldEvent::Kind::Lock;
        stack_.goTo(isAround ? around : here);
        switch (held.kind) {
            case HeldEvent::Kind::Counters:
                setTimeOff(held.off);
                return read(held, values);
            case HeldEvent::Kind::Lock:
                setTimeOff(held.off);
                return useLock(held.event, held.time, held.use);
            case HeldEvent::Kind::Fork:
                here = caller;
                return beginFork(held, caller);
            case HeldEvent::Kind::TeamBegin:
                return beginTeam(held.event, held.time, held.what, site, held.off);
        }
    });
    takeTimeOff();
    setTimeOff(last);
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
    const bool isHeld = !context && (knowsPaths_ || shortage_.isTold());
    // The next event tells what has been common to both since the last one, and the differences belong there.
    if (isHeld || !held_.empty()) return hold(reading, values);
    read(reading, values);
}

void CallReplay::read(const HeldEvent& reading, const CounterValue* values) {
    const trace::MetricClassId metricClass(reading.what);
    const bool isThread = context_.definitions[self_].kind == trace::Location::Kind::Thread;
    NodeId node = isThread ? current() : kProgram;
    if (isThread && reading.context) node = ways_.ofSample(*reading.context, tasks_.knownAround());
    if (reading.context && times_.haveStarted() && (knowsPaths_ || sampled_.isOn())) {
        // A sample does not end the interval between two events.
        const Ticks time = times_.ofSample(reading.event, reading.time);
        if (!times_.isFar(time)) sampled_.ranAt(time);
        const Ticks weight = sampled_.timeOf(metricClass, values, reading.count);
        if (isThread && weight != 0)
            sampled_.add(ways_.ofFunction(*reading.context, tasks_.knownAround()), time, weight);
    } else {
        advance(reading.event, reading.time);
    }
    counters_.record(node, {now(), reading.time, stack_.counted() != 0}, metricClass, values, reading.count);
    if (listener_ != nullptr)
        listener_->read(
            {node, reading.time, metricClass, {values, reading.count}, reading.context.has_value()});
}

// Programs, threads, teams and tasks.

void CallReplay::programBegin(std::uint64_t event, Ticks time, const std::string& name) {
    advance(event, time);
    program_ = std::filesystem::path(name).filename().string();
    if (program_.empty()) program_ = "program";
    if (stack_.depth() != 0) return;
    stack_.visit(kProgram);
    stack_.push(kProgram);
    stack_.setBase(1);
}

void CallReplay::programEnd(std::uint64_t event, Ticks time) {
    advance(event, time);
    if (left_.leave == now()) untilEnd_ = left_;
    programEnd_ = now();
    tasks_.suspend();
    if (stack_.depth() > 1 && !stack_.isOff())
        log_.add(Trouble::UnbalancedCalls, "the program ended inside of regions; they were left at its end",
                 event, time);
    endThread();
}

void CallReplay::endThread() {
    closeDownTo(0);
    stack_.setBase(0);
}

void CallReplay::threadFork(std::uint64_t event, Ticks time) {
    releaseLocks();
    const HeldEvent fork{.kind = HeldEvent::Kind::Fork, .event = event, .time = time, .off = takeTimeOff()};
    // The region that follows tells which function forks.
    if (knowsPaths_) return hold(fork);
    beginFork(fork, current());
}

void CallReplay::beginFork(const HeldEvent& fork, NodeId at) {
    setTimeOff(fork.off);
    teams_.fork(at, advance(fork.event, fork.time));
    note(ClockRole::Fork, teams_.lastFork());
}

void CallReplay::threadJoin(std::uint64_t event, Ticks time) {
    const NodeId around = current();
    if (knowsPaths_) stays_.backToFork();
    time = advance(event, time);
    const std::uint32_t fork = teams_.join(time, beginSlice(current(), 0));
    stack_.goTo(around);
    if (fork == kNone)
        log_.add(Trouble::UnmatchedThreads, "a join without its fork was left out", event, time);
    else
        note(ClockRole::Join, fork);
}

void CallReplay::threadTeamBegin(std::uint64_t event, Ticks time, std::uint32_t comm) {
    releaseLocks();
    if (held_.hasFork())
        return hold({.kind = HeldEvent::Kind::TeamBegin,
                     .event = event,
                     .time = time,
                     .what = comm,
                     .off = takeTimeOff()});
    beginTeam(event, time, comm, trace::kNoSite, takeTimeOff());
}

void CallReplay::beginTeam(std::uint64_t event, Ticks time, std::uint32_t comm, trace::SiteId site,
                           const TimeOff& off) {
    time = advance(event, time);
    note(ClockRole::TeamBegin, kNone, stays_.begin(event, time, comm, site));
    shortage_.beginTeam(off, time);
}

void CallReplay::threadTeamEnd(std::uint64_t event, Ticks time) {
    const bool isAtJoin = teams_.inTeam() && teams_.stay().asMaster && stack_.depth() == stack_.base();
    if (isAtJoin && knowsPaths_) stays_.backToFork();
    time = advance(event, time);
    tasks_.suspend();
    if (!teams_.inTeam())
        return log_.add(Trouble::UnmatchedThreads, "the end of a team that had not begun was left out", event,
                        time);
    if (stack_.depth() > stack_.base())
        log_.add(Trouble::UnbalancedCalls, "a team ended inside of regions; they were left at its end", event,
                 time);
    closeDownTo(stack_.base());
    note(ClockRole::TeamEnd, kNone, stays_.end());
}

void CallReplay::lock(std::uint64_t event, Ticks time, const LockUse& use) {
    // What a call that may wait lacks is known when it ends.
    const TimeOff off = takeTimeOff();
    if (!shortage_.isTold() || !sampled_.isComputation(current())) {
        useLock(event, time, use);
        return setTimeOff(off);
    }
    if (!held_.hasOnlyLocks()) releaseHere();
    hold({.kind = HeldEvent::Kind::Lock, .event = event, .time = time, .off = off, .use = use});
}

/// Outside of calls that wait for locks it was free: of such calls a recorder may leave out all but the
/// event.
void CallReplay::useLock(std::uint64_t event, Ticks time, const LockUse& use) {
    time = advance(event, time);
    const Frame* const call = innermost();
    if (use.order == 0 || call == nullptr) return;
    const trace::RegionClass& region = classOf(call->node);
    const bool isSignal = !use.isHeld && region.has(trace::TimeClass::PthreadCondition);
    const trace::CallKind kind = isSignal ? trace::CallKind::PthreadSignal : region.call;
    // The wait at a condition ends with the acquisition of its mutex, which comes next.
    const bool isArrival = isSignal && use.isAcquired;
    const Ticks begin = use.isAcquired && trace::isOfLocks(kind) ? call->enter : time;
    const std::uint32_t slice = isArrival || isAlone() ? 0 : beginSlice(call->node, time - begin);
    if (use.isAcquired) special_.acquired(teams_.locks(), *call);
    teams_.lock({use.lock, use.order, use.isAcquired, kind, call->node, slice, event, begin, time});
}

void CallReplay::taskSwitch(std::uint64_t event, Ticks time, const TaskKey& key) {
    advance(event, time);
    if (key.generation != 0) special_.taskGoesOn();
    tasks_.switchTo(key);
    special_.taskSwitched(event);
}

void CallReplay::taskComplete(std::uint64_t event, Ticks time, const TaskKey& key) {
    advance(event, time);
    tasks_.complete(event, time, key);
    special_.taskEnded(event);
}

void CallReplay::finish(std::uint64_t events, ReplayedLocation& result) {
    releaseHere();
    if (sampled_.ranUntil() > now()) {
        if (sampled_.isOn()) shareInterval(sampled_.ranUntil());
        stack_.passTo(sampled_.ranUntil());
    }
    times_.runPendingFlush();
    tasks_.suspend();
    while (tasks_.isAroundTeams()) {
        closeDownTo(0);
        tasks_.endTeam();
        tasks_.suspend();
    }
    suspendMovingTask();
    if (stack_.depth() > stack_.base() && !stack_.isOff())
        log_.add(Trouble::UnbalancedCalls, "the last " + std::to_string(stack_.depth() - stack_.base()) +
                                               " regions were never left; they end with the last event");
    closeDownTo(0);
    stays_.finish();
    LocationCalls& calls = result.calls;
    LocationTrace& trace = result.trace;
    trace.counted = times_.countedEvents();
    trace.profile = stack_.profile().take();
    calls.shared = sampled_.finish(counters_);
    stack_.tree().close();
    calls.tree = std::move(stack_.tree());
    calls.taskPlaces = tasks_.takePlaces();
    calls.program = std::move(program_);
    // Only the first thread of a process has an event for the end of the program.
    const bool isLeftAtTheEnd = left_.leave == now();
    calls.untilEnd = wasKilled_ && isLeftAtTheEnd ? left_ : untilEnd_;
    calls.programEnd = programEnd_;
    calls.counters = counters_.take();
    calls.intervals = stack_.intervals().take();
    if (isInPeriod_) periods_.back().end = now();
    calls.periods = std::move(periods_);
    result.diagnoses = log_.all();
    calls.events = events;
    trace.messages = messages_.take();
    special_.finish(trace);
    trace.threads = teams_.take();
    if (isLeftAtTheEnd && !wasKilled_ && !programEnd_ && trace.threads.ends.empty()) {
        calls.untilEnd = left_;
        calls.untilEnd.mayHaveReturned = true;
    }
    trace.pauses = times_.takePauses();
    trace.begin = times_.first();
    trace.end = now();
}

}  // namespace holos::analyzer::replay
