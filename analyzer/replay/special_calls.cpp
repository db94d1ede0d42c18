// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/special_calls.h"

#include <algorithm>

#include "analyzer/replay/call_replay.h"

namespace holos::analyzer::replay {

using trace::Special;

namespace {

bool hasExplicitTasks(const trace::Definitions& definitions) {
    return std::ranges::any_of(definitions.regions, [](const trace::Region& region) {
        return region.role == trace::Role::Task || region.role == trace::Role::TaskCreate;
    });
}

}  // namespace

SpecialCalls::SpecialCalls(CallReplay& calls, const trace::Definitions& definitions, Memory memory)
    : calls_(calls),
      hasTasks_(hasExplicitTasks(definitions)),
      shortest_(static_cast<Ticks>(definitions.clock.ticksPerSecond / 50'000)),
      polls_(static_cast<Ticks>(definitions.clock.ticksPerSecond / 5'000), memory),
      inner_(memory) {}

void SpecialCalls::enter(std::uint64_t event, NodeId node, Special special, NodeId left) {
    TeamRecorder& teams = calls_.teams();
    switch (special) {
        case Special::None:
        case Special::TaskCreate:
        case Special::MayWait:
        case Special::WithinMpi:
        case Special::Silence:
            break;
        case Special::Parallel:
            if (teams.parallelPending())
                teams.enterParallel(node, calls_.now(), event, calls_.beginSlice(node, 0));
            break;
        case Special::ExplicitBarrier:
        case Special::ImplicitBarrier:
            if (calls_.isAlone()) break;
            teams.enterBarrier(event, calls_.beginSlice(node, 0), calls_.quiet(node));
            calls_.note(ClockRole::BarrierEnter);
            stopAt(event);
            break;
        case Special::TaskWait:
            stopAt(event);
            break;
        case Special::MpiInit:
            enterStartup(init_, event, node, ClockRole::InitEnter);
            break;
        case Special::MpiFinalize:
            enterStartup(finalize_, event, node, ClockRole::FinalizeEnter);
            break;
        case Special::RmaEpoch:
            calls_.note(ClockRole::EpochBegin);
            break;
        case Special::Poll:
        case Special::LockTest:
        case Special::ThreadJoin:
            polls_.enter(event, node, left);
            pausedBefore_ = calls_.paused();
            break;
        case Special::Pause:
            polls_.enterPause(event);
            pausedBefore_ = calls_.paused();
            break;
    }
}

void SpecialCalls::enterStartup(Startup& startup, std::uint64_t event, NodeId node, ClockRole role) {
    if (startup.event != 0) return;
    const Ticks now = calls_.now();
    startup = {false, node, now, now, event, calls_.beginSlice(node, 0)};
    calls_.note(role);
}

namespace {

/// True when this is the end of the call.
bool close(Startup& startup, const Frame& call, Ticks time) {
    if (startup.seen || startup.node != call.node || startup.enter != call.enter) return false;
    startup.seen = true;
    startup.leave = time;
    return true;
}

}  // namespace

void SpecialCalls::leave(const Frame& call, Ticks time) {
    if (call.call != kNone) calls_.records().closeCall(call.call, time);
    if (call.call != kNone && polls_.isWaiting()) noteFound(call);
    noteInner(call, time);
    const Special special = calls_.tree()[call.node].special;
    switch (special) {
        case Special::None:
        case Special::TaskCreate:
        case Special::MayWait:
        case Special::WithinMpi:
            break;
        case Special::Parallel:
            calls_.teams().leaveParallel(call.node, call.enter, time, calls_.currentSlice());
            break;
        case Special::ExplicitBarrier:
        case Special::ImplicitBarrier:
            leaveBarrier(call, time, special == Special::ImplicitBarrier);
            break;
        case Special::MpiInit:
            if (close(init_, call, time)) calls_.note(ClockRole::InitLeave);
            break;
        case Special::MpiFinalize:
            if (close(finalize_, call, time)) calls_.note(ClockRole::FinalizeLeave);
            break;
        case Special::TaskWait:
            noteStall(call, time, std::nullopt, false);
            break;
        case Special::RmaEpoch:
            calls_.note(ClockRole::EpochEnd, call.call);
            break;
        case Special::Poll:
            if (call.call == kNone) leavePoll(call, time);
            break;
        case Special::LockTest:
            if (polls_.isInVain() && !calls_.isAlone()) leavePoll(call, time);
            break;
        case Special::ThreadJoin:
            if (polls_.isInVain()) leavePoll(call, time);
            calls_.teams().joinThread({call.node, calls_.currentSlice(), call.enter, time});
            break;
        case Special::Pause:
            if (polls_.leavePause(call.node, took(call, time)))
                polls_.beginsWith(calls_.beginSlice(call.node, time - call.enter));
            break;
        case Special::Silence:
            calls_.unrecorded({call.enter, time});
            break;
    }
}

/// Between two that it calls in one function of its own, as the call stack shows, no time is its own either.
void SpecialCalls::noteInner(const Frame& call, Ticks time) {
    const Frame* const around = calls_.innermost();
    if (around == nullptr || around->node == kOutside ||
        !calls_.classOf(around->node).has(trace::TimeClass::Mpi))
        return;
    const Ticks own = calls_.tree()[around->node].exclusive;
    const bool goesOn = !inner_.empty() && inner_.back().node == around->node &&
                        inner_.back().end >= around->enter && own == ownAtInnerEnd_;
    if (goesOn)
        inner_.back().end = time;
    else if (call.enter < time)
        inner_.push_back({around->node, call.enter, time});
    else
        return;
    ownAtInnerEnd_ = own;
}

void SpecialCalls::leaveBarrier(const Frame& call, Ticks time, bool isImplicit) {
    if (calls_.isAlone()) return;
    calls_.note(ClockRole::BarrierLeave,
                calls_.teams().barrier(call.node, isImplicit, call.enter, time, calls_.quiet(call.node)));
    noteStall(call, time, isImplicit, false);
}

void SpecialCalls::taskGoesOn() {
    const Frame* const call = calls_.innermost();
    if (call == nullptr || !hasTasks_) return;
    const Special special = calls_.tree()[call->node].special;
    if (special == Special::ExplicitBarrier || special == Special::ImplicitBarrier)
        noteStall(*call, calls_.now(), special == Special::ImplicitBarrier, true);
    else if (special == Special::TaskWait)
        noteStall(*call, calls_.now(), std::nullopt, true);
}

void SpecialCalls::taskEnded(std::uint64_t event) {
    lastSwitch_ = calls_.now();
    stopAt(event);
    if (calls_.isAlone() || lastSwitch_ - lastTaskRecord_ < shortest_) return;
    lastTaskRecord_ = lastSwitch_;
    const NodeId at = calls_.current();
    const trace::RegionClass* const around = calls_.currentClass();
    const bool isInBarrier = around != nullptr && (around->special == Special::ExplicitBarrier ||
                                                   around->special == Special::ImplicitBarrier);
    calls_.teams().taskEnded({at, calls_.beginSlice(at, 0), event, lastSwitch_, isInBarrier});
}

void SpecialCalls::taskSwitched(std::uint64_t event) {
    // The end of a task and the switch from it have one time.
    if (calls_.now() <= lastSwitch_) return;
    lastSwitch_ = calls_.now();
    stopAt(event);
}

void SpecialCalls::stopAt(std::uint64_t event) {
    lastStop_ = event;
    stopNode_ = calls_.current();
    quietAtStop_ = calls_.quiet(stopNode_);
}

/// Its event stands behind the last switch between tasks, or the enter of the call: in between there is no
/// other one.
void SpecialCalls::noteStall(const Frame& call, Ticks time, std::optional<bool> isImplicitBarrier,
                             bool goesOn) {
    const Ticks begin = std::max(call.enter, lastSwitch_);
    TeamRecorder& teams = calls_.teams();
    if (!hasTasks_ || calls_.isAlone() || !teams.inTeam() || time - begin <= shortest_) return;
    TaskStall stall;
    stall.node = call.node;
    stall.slice = calls_.beginSlice(call.node, time - begin);
    stall.event = lastStop_ + 1;
    stall.begin = begin;
    stall.end = time;
    if (stopNode_ == call.node) stall.calls = time - begin - (calls_.quiet(call.node) - quietAtStop_);
    if (isImplicitBarrier) {
        stall.team = teams.stay().team;
        stall.sequence = teams.stay().barriers - (goesOn ? 0 : 1);
        stall.implicit = *isImplicitBarrier;
    }
    teams.stalled(stall);
}

PollRecorder::Took SpecialCalls::took(const Frame& call, Ticks time) const {
    Ticks others = calls_.paused() - pausedBefore_;
    for (auto inner = inner_.rbegin(); inner != inner_.rend() && inner->end > call.enter; ++inner)
        if (inner->node == call.node) others += inner->end - inner->begin;
    return {call.enter, time, std::min(others, time - call.enter)};
}

void SpecialCalls::leavePoll(const Frame& call, Ticks time) {
    if (!polls_.leaveInVain(call.node, calls_.classOf(call.node).call, took(call, time))) return;
    polls_.beginsWith(calls_.beginSlice(call.node, time - call.enter));
}

/// What a test or a wait completes was polled for by tests; what a receive receives, by probes. MPI_Imrecv
/// receives what was probed for, too, wherever that is completed.
void SpecialCalls::noteFound(const Frame& call) {
    const trace::CallKind kind = calls_.classOf(call.node).call;
    const bool completes = kind == trace::CallKind::Test || trace::isWait(kind);
    const MessageRecorder& records = calls_.records();
    const bool isTest = kind == trace::CallKind::Test;
    if (completes)
        polls_.found(call.call, trace::CallKind::Test, isTest ? std::optional(call.enter) : std::nullopt);
    if (completes ? records.receivedMatched(call.call) : records.received(call.call))
        polls_.found(call.call, trace::CallKind::Probe);
}

void SpecialCalls::acquired(std::uint32_t lock, const Frame& call) {
    const trace::RegionClass& region = calls_.classOf(call.node);
    if (!region.has(trace::TimeClass::OmpLockApi) && region.call != trace::CallKind::PthreadMutex) return;
    const bool isTest = region.special == Special::LockTest;
    polls_.found(lock, region.call, isTest ? std::optional(call.enter) : std::nullopt);
}

void SpecialCalls::joined(std::uint32_t end, Ticks enter) {
    polls_.found(end, trace::CallKind::PthreadJoin, enter);
}

void SpecialCalls::finish(LocationTrace& trace) {
    trace.polls = polls_.take();
    std::ranges::stable_sort(inner_, {}, &InnerTime::node);
    trace.inner = std::move(inner_);
    trace.init = init_;
    trace.finalize = finalize_;
}

}  // namespace holos::analyzer::replay
