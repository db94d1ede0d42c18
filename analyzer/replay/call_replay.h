// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyzer/replay/call_stack.h"
#include "analyzer/replay/call_ways.h"
#include "analyzer/replay/clock.h"
#include "analyzer/replay/context.h"
#include "analyzer/replay/counter_recorder.h"
#include "analyzer/replay/event_times.h"
#include "analyzer/replay/explicit_tasks.h"
#include "analyzer/replay/held_events.h"
#include "analyzer/replay/message_recorder.h"
#include "analyzer/replay/plain_calls.h"
#include "analyzer/replay/processor_shortage.h"
#include "analyzer/replay/replayed_location.h"
#include "analyzer/replay/sampled_time.h"
#include "analyzer/replay/special_calls.h"
#include "analyzer/replay/team_recorder.h"
#include "analyzer/replay/team_stays.h"
#include "analyzer/trace/diagnosis.h"
#include "analyzer/trace/quiet_calls.h"

namespace holos::analyzer::replay {

/// One call from its enter to its leave.
struct LeftCall {
    NodeId node;
    RegionId region;
    Ticks enter = 0;
    Ticks leave = 0;
    std::span<const Frame> around;  ///< the regions around it in its location, outermost first
    const LocalTree* tree = nullptr;
};

/// Counters that were read, or a sample of the call stack.
struct HeardReading {
    NodeId node;
    Ticks time = 0;
    trace::MetricClassId metricClass;
    std::span<const CounterValue> values;
    bool isSample = false;
};

/// Hears of what replay does not keep: each single call and reading of a location, in the order in which they
/// end. A call's node is that of the location's own tree. What it throws ends the replay.
/// Thread safety: one thread for each location.
class CallListener {
  public:
    CallListener() = default;
    virtual ~CallListener() = default;
    CallListener(const CallListener&) = delete;
    CallListener& operator=(const CallListener&) = delete;

    /// What was entered last stands for so many calls, one directly after the other.
    virtual void standsFor(std::uint64_t /*calls*/) {}
    /// The innermost call sent or received so many bytes.
    virtual void moved(std::uint64_t /*sent*/, std::uint64_t /*received*/) {}
    virtual void left(const LeftCall& /*call*/) {}
    virtual void read(const HeardReading& /*reading*/) {}
};

/// Follows a location's calls, teams and explicit tasks, and lets its time pass. Events come in the order of
/// the file; `event` is their number. Of other events their own classes make records, by what this one knows
/// of the present moment. Thread safety: one thread for each location.
class CallReplay {
  public:
    /// `clock`: what corrects the times of the events; without one they count as they come.
    CallReplay(const Context& context, trace::LocationId self, Clock* clock = nullptr);
    CallReplay(const CallReplay&) = delete;
    CallReplay& operator=(const CallReplay&) = delete;

    /// Tells it of all calls and readings from now on. It must live as long as the replay.
    void tell(CallListener& listener) { listener_ = &listener; }

    void enter(std::uint64_t event, Ticks time, RegionId region) {
        advance(event, time);
        open(tasks_.isBeginning() ? tasks_.beginBody(region) : stack_.child(stack_.current(), region), event,
             kByName);
    }
    /// With the calls that led there, or `kNoContext`, in a trace that tells of them.
    void enterFrom(std::uint64_t event, Ticks time, RegionId region, trace::ContextId from);
    /// With the functions on the way there, which need not have been entered; the region is the last of them.
    void enterContext(std::uint64_t event, Ticks time, trace::ContextId context);

    /// The region that was entered last stands for so many calls from there, one directly after the other.
    /// From the enter of the first to the leave of the last they took `span`, with the time between them.
    void standsFor(std::uint64_t calls, Ticks span);

    /// The thread had no processor for so long, until the next event, which is at `time`: since the last
    /// event that can tell of it.
    void withoutProcessor(const TimeOff& off, Ticks time) {
        shortage_.add(held_.empty() ? off : held_.shareOff(off, time));
        prepares_ = true;
    }

    void leave(std::uint64_t event, Ticks time, RegionId region) {
        time = advance(event, time);
        if (!stack_.isInnermost(region)) [[unlikely]] {
            if (movingTasks_.running() && !isInTask(region)) suspendMovingTask();
            if (!stack_.isInnermost(region) && !unwindTo(event, time, region)) return;
        }
        pop();
    }

    /// Enters and leaves as `enter` and `leave` do, as long as nothing is special about them: how many it
    /// were. `at(i)` gives each as a `PlainCalls::Call`. In a trace that knows the calls that led to events,
    /// those that led to these are unknown, and they are functions that a compiler tells of.
    template <class At>
    std::size_t pass(std::size_t size, At&& at) {
        const bool isPlain = !prepares_ && listener_ == nullptr && !sampled_.isOn() &&
                             !tasks_.isBeginning() && current() == stack_.top();
        return isPlain ? PlainCalls(stack_, times_.latest()).take(size, at) : 0;
    }

    /// Enters a region that is a task with this number, which may be suspended, and end in another
    /// location.
    void enterTask(std::uint64_t event, Ticks time, RegionId region, std::uint64_t number);
    void leaveTask(std::uint64_t event, Ticks time, RegionId region, std::uint64_t number);

    /// All of these events at once, where nothing counts and no time passes. False, and nothing happens,
    /// where they may mean more than entering and leaving here: then they have to be told one by one.
    bool passOver(const trace::QuietCalls& calls);

    void programBegin(std::uint64_t event, Ticks time, const std::string& name);
    void programEnd(std::uint64_t event, Ticks time);
    /// The recorder wrote its buffer to a file from `time` to `stop`.
    void bufferFlush(std::uint64_t event, Ticks time, Ticks stop);
    void measurement(std::uint64_t event, Ticks time, bool on);

    /// Counters of processes and nodes are those of no call path: they count for the program. `context`:
    /// where in the present call path a sample of the call stack was taken.
    void metric(std::uint64_t event, Ticks time, trace::MetricClassId metricClass, const CounterValue* values,
                std::size_t count, std::optional<trace::ContextId> context = std::nullopt);

    void threadFork(std::uint64_t event, Ticks time);
    void threadJoin(std::uint64_t event, Ticks time);
    void threadTeamBegin(std::uint64_t event, Ticks time, std::uint32_t comm);
    void threadTeamEnd(std::uint64_t event, Ticks time);
    void lock(std::uint64_t event, Ticks time, const LockUse& use);
    void taskSwitch(std::uint64_t event, Ticks time, const TaskKey& key);
    void taskComplete(std::uint64_t event, Ticks time, const TaskKey& key);

    /// An event that refers to something undefined, or of a kind that is left out.
    void complain(Trouble trouble, const std::string& message, std::uint64_t event, Ticks time) {
        log_.add(trouble, message, event, time);
    }

    /// Closes what is open: call once, after the last event. Gives the rest of the records to `result`.
    void finish(std::uint64_t events, ReplayedLocation& result);

    // For events that happen where the location is.

    /// Books the time since the last event on the current call path and returns the time to use.
    Ticks advance(std::uint64_t event, Ticks time) {
        if (prepares_) [[unlikely]]
            time = prepare(event, time);
        if (!times_.needsNoChange(time)) [[unlikely]]
            time = times_.adjust(event, time);
        if (sampled_.isOn()) [[unlikely]]
            shareInterval(time);
        stack_.passTo(time);
        return time;
    }
    /// The location's time of now: of the last event.
    Ticks now() const { return stack_.now(); }
    NodeId current() const { return stack_.current(); }
    /// Of the innermost region; null outside of all.
    const trace::RegionClass* currentClass() const {
        return current() == kOutside ? nullptr : &classOf(current());
    }
    trace::CallKind currentKind() const { return classOf(current()).call; }
    const trace::RegionClass& classOf(NodeId node) const { return stack_.classOf(node); }
    const LocalTree& tree() const { return stack_.tree(); }
    /// How long the location was at a node so far without calling anything.
    Ticks quiet(NodeId node) const { return tree()[node].exclusive + paused(); }
    /// What the recorder took for itself so far.
    Ticks paused() const { return times_.paused(); }
    /// Who waits then, and for what, is not known: calls do not take that time.
    void unrecorded(Period time) { times_.unrecorded(time); }
    /// The innermost region; null outside of all.
    const Frame* innermost() const { return stack_.innermost(); }
    /// The record of the call around the present event, made when it is its first.
    std::uint32_t currentCall(std::uint64_t event);
    MessageRecorder& records() { return messages_; }
    TeamRecorder& teams() { return teams_; }
    SpecialCalls& special() { return special_; }
    /// A slice of the profile begins, of which `booked` is already in the slice before.
    std::uint32_t beginSlice(NodeId node, Ticks booked) { return stack_.profile().begin(node, booked); }
    std::uint32_t currentSlice() const { return stack_.profile().current(); }
    /// As the event counts: itself, or 0.
    std::uint64_t counted(std::uint64_t number) const { return stack_.counted() * number; }
    /// In its process: nobody waits for it.
    bool isAlone() const { return isAlone_; }
    /// The present event has a part in the logical order.
    void note(ClockRole role, std::size_t record = kNone, TeamKey team = {}) {
        times_.note({role, static_cast<std::uint32_t>(record), team});
    }
    /// The innermost call sent or received so many bytes.
    void moved(std::uint64_t sent, std::uint64_t received) {
        if (listener_ != nullptr) [[unlikely]]
            listener_->moved(sent, received);
    }
    /// The location is a thread's own: what it calls stands below all threads.
    void beginThread() { stays_.beginThread(); }
    void endThread();

  private:
    /// `known`: the functions that stand above the region's call path from now on; `from`: the calls that led
    /// there.
    void open(NodeId node, std::uint64_t event, FrameId known, trace::ContextId from = trace::kNoContext) {
        const trace::Special special = stack_.open(node, known, from);
        if (special != trace::Special::None) [[unlikely]]
            enterSpecial(event, node, special);
    }
    void enterSpecial(std::uint64_t event, NodeId node, trace::Special special);
    void enterAlong(std::uint64_t event, Ticks time, RegionId region, const CallWays::Way& way);
    void enterCreatedTask(std::uint64_t event, Ticks time, RegionId region, const CallWays::Way& way);
    /// Where the way to a region does not count: in the call tree it stands elsewhere. Nothing for others.
    std::optional<NodeId> placeApart(RegionId region);

    void pop() {
        const Frame frame = stack_.pop();
        if (left_.leave != now() || isSilent_) [[likely]]
            noteLeft(frame);
        if (listener_ != nullptr) [[unlikely]]
            tellOf(frame);
        if (frame.call != kNone || tree()[frame.node].special != trace::Special::None) [[unlikely]]
            leaveSpecial(frame);
    }
    /// Of regions that are left at one time, the innermost one; where no events came, the one around that.
    void noteLeft(const Frame& frame) {
        left_ = {frame.node, frame.enter, now()};
        isSilent_ = tree()[frame.node].special == trace::Special::Silence;
        wasKilled_ = wasKilled_ || isSilent_;
    }
    /// It was a call of MPI, or of something else that has records.
    void leaveSpecial(const Frame& left);
    void tellOf(const Frame& left);
    void closeDownTo(std::size_t depth);
    void suspendMovingTask();
    bool unwindTo(std::uint64_t event, Ticks time, RegionId region);
    /// Whether the task that may go on elsewhere is in that region here; else the leave of one around it says
    /// that it has gone.
    bool isInTask(RegionId region) const;
    bool mayPassOver(const trace::QuietCalls& calls) const;

    /// What comes before an event's own time is used: of events that were held back, and of the clock.
    Ticks prepare(std::uint64_t event, Ticks time);
    bool mustPrepare() const { return times_.areCorrected() || !held_.empty() || shortage_.isPending(); }
    /// How long there was no processor since the last event that can tell of it.
    TimeOff takeTimeOff();
    void setTimeOff(const TimeOff& off);
    /// The time since the last event may be that of functions in which samples were taken.
    void shareInterval(Ticks end);

    void hold(const HeldEvent& event, const CounterValue* values = nullptr);
    /// What was held back happens where the location is.
    void releaseHere();
    /// What was held back happens: until a fork on `shared`, from there on at `caller`, which calls the
    /// region at `site`. Returns where the time passes then.
    NodeId release(NodeId shared, NodeId caller, trace::SiteId site);
    /// Before a fork, or another event that takes the time without a processor for itself.
    void releaseLocks() {
        if (held_.hasOnlyLocks()) releaseHere();
    }
    void read(const HeldEvent& reading, const CounterValue* values);
    void useLock(std::uint64_t event, Ticks time, const LockUse& use);
    void beginFork(const HeldEvent& fork, NodeId at);
    void beginTeam(std::uint64_t event, Ticks time, std::uint32_t comm, trace::SiteId site,
                   const TimeOff& off);

    const Context& context_;
    trace::LocationId self_;
    bool isAlone_;
    bool prepares_;    ///< `prepare` has something to do
    bool knowsPaths_;  ///< the calls that led to regions are known
    DiagnosisLog log_;
    CallStack stack_;
    HeldEvents held_;

    TeamRecorder teams_;
    ExplicitTasks tasks_;
    TeamStays stays_;
    EventTimes times_;
    SeenFunctions seen_;
    SampledTime sampled_;
    CallWays ways_;
    MessageRecorder messages_;
    SpecialCalls special_;
    ProcessorShortage shortage_;
    CounterRecorder counters_;
    MovingTasks movingTasks_;

    NodeId passedAt_ = kOutside;  ///< where the time before the last enter passed, where paths are known

    CallUntilEnd left_;       ///< the last region that was left, or of several at that time the innermost
    bool isSilent_ = false;   ///< it is a time without events
    bool wasKilled_ = false;  ///< there was such a time
    CallUntilEnd untilEnd_;
    std::optional<Ticks> programEnd_;
    std::string program_;
    std::vector<Period> periods_;
    bool isInPeriod_ = false;  ///< the last of them goes on
    CallListener* listener_ = nullptr;
};

}  // namespace holos::analyzer::replay
