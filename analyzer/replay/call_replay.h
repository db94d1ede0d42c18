// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/replay/clock.h"
#include "analyzer/replay/counter_recorder.h"
#include "analyzer/replay/diagnosis_log.h"
#include "analyzer/replay/held_events.h"
#include "analyzer/replay/local_tree.h"
#include "analyzer/replay/message_recorder.h"
#include "analyzer/replay/profile_recorder.h"
#include "analyzer/replay/records.h"
#include "analyzer/replay/replayed_location.h"
#include "analyzer/replay/shared_frames.h"
#include "analyzer/replay/special_calls.h"
#include "analyzer/replay/stack_paths.h"
#include "analyzer/replay/task_places.h"
#include "analyzer/replay/team_board.h"
#include "analyzer/replay/team_recorder.h"
#include "analyzer/replay/time_sharing.h"
#include "analyzer/trace/quiet_calls.h"

namespace holos::analyzer::replay {

/// What all replays share and only read.
struct Context {
    const trace::Definitions& definitions;
    const std::vector<trace::RegionClass>& classes;  ///< by region
    TeamBoard& board;
    bool withProfiles = false;  ///< time per call path between synchronization points is wanted
    Memory memory = heap();     ///< for records
};

/// Keeps a location's call stack, with its teams and explicit tasks, and the time of every call path. Events
/// come in the order of the file; `event` is their number. Of other events their own classes make records, by
/// what this one knows of the present moment.
/// Thread safety: one thread for each location.
class CallReplay {
  public:
    /// `clock`: what corrects the times of the events; without one they count as they come.
    CallReplay(const Context& context, trace::LocationId self, Clock* clock = nullptr);
    CallReplay(const CallReplay&) = delete;
    CallReplay& operator=(const CallReplay&) = delete;
    /// The location's time of now: of the last event.
    Ticks now() const { return last_; }

    void enter(std::uint64_t event, Ticks time, RegionId region) {
        time = advance(event, time);
        open(beginsTask() ? beginTaskBody(region) : tree_.child(current_, region, context_.classes), event,
             time, kByName);
    }
    /// With the calls that led there, or `kNoContext`, in a trace that tells of them.
    void enterFrom(std::uint64_t event, Ticks time, RegionId region, trace::ContextId from);
    /// With the functions on the way there, which need not have been entered; the region is the last of them.
    void enterContext(std::uint64_t event, Ticks time, trace::ContextId context);

    /// The region that was entered last stands for so many calls from there, one directly after the other.
    /// From the enter of the first to the leave of the last they took `span`, with the time between them.
    void standsFor(std::uint64_t calls, Ticks span);

    void leave(std::uint64_t event, Ticks time, RegionId region) {
        time = advance(event, time);
        if (stack_.size() <= base_ || tree_[stack_.back().node].region != region) [[unlikely]] {
            if (!unwindTo(event, time, region)) return;
        }
        pop(time);
    }

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
        if (time < last_ || time > flushBegin_) [[unlikely]]
            time = adjust(event, time);
        if (sharing_.isOn()) [[unlikely]]
            shareInterval(time);
        profile_.touch(current_);
        tree_[current_].exclusive += time - last_;
        last_ = time;
        return time;
    }
    NodeId current() const { return current_; }
    /// Of the innermost region; null outside of all.
    const trace::RegionClass* currentClass() const {
        return current_ == kOutside ? nullptr : &classOf(current_);
    }
    trace::CallKind currentKind() const { return classOf(current_).call; }
    const trace::RegionClass& classOf(NodeId node) const {
        return context_.classes[tree_[node].region.index()];
    }
    const LocalTree& tree() const { return tree_; }
    /// The innermost region; null outside of all.
    const Frame* innermost() const { return stack_.empty() ? nullptr : &stack_.back(); }
    /// The record of the call around the present event, made when it is its first.
    std::uint32_t currentCall(std::uint64_t event);
    MessageRecorder& records() { return messages_; }
    TeamRecorder& teams() { return teams_; }
    SpecialCalls& special() { return special_; }
    /// A slice of the profile begins, of which `booked` is already in the slice before.
    std::uint32_t beginSlice(NodeId node, Ticks booked) { return profile_.begin(node, booked); }
    std::uint32_t currentSlice() const { return profile_.current(); }
    /// As the event counts: itself, or 0.
    std::uint64_t counted(std::uint64_t number) const { return counted_ * number; }
    /// In its process: nobody waits for it.
    bool isAlone() const { return isAlone_; }
    /// The present event has a part in the logical order.
    void note(ClockRole role, std::size_t record = kNone, TeamKey team = {}) {
        if (clock_ != nullptr) clock_->note({role, static_cast<std::uint32_t>(record), team});
    }
    /// The location is a thread's own: what it calls stands below all threads.
    void beginThread(Ticks time);
    void endThread(Ticks time);

  private:
    /// `known`: the functions that stand above the region's call path from now on; `from`: the calls that led
    /// there.
    void open(NodeId node, std::uint64_t event, Ticks time, FrameId known,
              trace::ContextId from = trace::kNoContext) {
        LocalTree::Node& entered = tree_[node];
        entered.visits += counted_;
        current_ = node;
        stack_.push_back({node, kNone, time, known, from});
        if (entered.special != trace::Special::None) [[unlikely]]
            enterSpecial(event, node, entered.special);
    }
    /// The calls that led into a region.
    struct Way {
        FrameId caller;                             ///< the function that calls the region
        trace::SiteId site;                         ///< where it does
        FrameId known;                              ///< what stands above the region's call path from then on
        trace::ContextId from = trace::kNoContext;  ///< the call of the region
    };
    void enterAlong(std::uint64_t event, Ticks time, RegionId region, const Way& way);
    /// Where the way to a region does not count: in the call tree it stands elsewhere. Nothing for others.
    std::optional<NodeId> placeApart(RegionId region);
    /// Whether a task begins with its region, or goes on, of which it is known where it was created.
    bool beginsCreatedTask(RegionId region) const;
    /// `way`: the calls that led to the task's creation.
    void enterCreatedTask(std::uint64_t event, Ticks time, RegionId region, const Way& way);
    /// In the region that the location has entered last.
    void noteTaskPlace(NodeId node);
    FrameId knownAround() const;
    /// Of the functions down to the caller that were newly met since the last event.
    void countVisits(NodeId caller, NodeId shared);
    bool beginsTask() const { return run_.task != nullptr && run_.task->body == kOutside; }

    /// What comes before an event's own time is used: of events that were held back, and of the clock.
    Ticks prepare(std::uint64_t event, Ticks time);
    /// From this event on.
    void setCounting(std::uint64_t event, Counting counting);
    void hold(const HeldEvent& event, const CounterValue* values = nullptr);
    /// What was held back happens: until a fork on `shared`, from there on at `caller`, which calls the
    /// region at `site`. Returns where the time passes then.
    NodeId release(NodeId shared, NodeId caller, trace::SiteId site);
    void read(const HeldEvent& reading, const CounterValue* values);
    void beginFork(const HeldEvent& fork, NodeId at);
    void beginTeam(std::uint64_t event, Ticks time, std::uint32_t comm, trace::SiteId site);
    /// A sample of the call stack, which stands for so much time.
    void noteSample(trace::ContextId context, Ticks time, Ticks weight);
    /// The time since the last event is booked on the current call path.
    void shareInterval(Ticks end);
    /// Its time may be that of functions which it calls: it is computation, and not artificial.
    bool isComputation(NodeId node) const;
    /// Samples have their parts of the times.
    std::vector<SharedTime> shareTimes();

    /// Between its parallel region and the join a master is where it forked.
    void backToFork();
    /// Since a fork that was not joined yet, but not in its parallel region.
    bool isBesideRegionOfFork() const;

    /// Times beyond lie centuries away; staying inside keeps differences and their sums in range.
    static constexpr Ticks kLatest = Ticks{1} << 60U;
    Ticks adjust(std::uint64_t event, Ticks time);
    void runPendingFlush();
    void pop(Ticks time);
    void enterSpecial(std::uint64_t event, NodeId node, trace::Special special);
    /// Whether nothing is recorded now: how regions are left is not seen, either.
    bool isOff() const;
    bool unwindTo(std::uint64_t event, Ticks time, RegionId region);
    bool mayPassOver(const trace::QuietCalls& calls) const;
    void closeDownTo(std::size_t depth, Ticks time);
    NodeId beginTaskBody(RegionId region);
    /// What passed since the switch was the task's, but it was not known yet to have a region.
    void moveTimeSinceSwitch(NodeId to);
    /// Back to the implicit task, when an explicit one runs.
    void suspendTask();
    /// At the end of a team that an explicit task made: on with that task.
    void resumeOuterTask();
    NodeId implicitTop() const {
        return run_.implicitStack.empty() ? kOutside : run_.implicitStack.back().node;
    }
    NodeId top() const {
        if (!stack_.empty()) return stack_.back().node;
        return run_.task != nullptr ? run_.task->root : kOutside;
    }

    const Context& context_;
    trace::LocationId self_;
    bool isAlone_;  ///< in its process: nobody waits at its barriers
    Clock* clock_;
    DiagnosisLog log_;
    LocalTree tree_;
    ProfileRecorder profile_;
    std::vector<Frame> stack_;
    NodeId current_ = kOutside;  ///< between events that of the innermost region
    NodeId left_ = kOutside;  ///< what was left last; its caller is the deepest function that is known then
    trace::ContextId leftFrom_ = trace::kNoContext;  ///< the calls that led there
    NodeId stayed_ = kOutside;  ///< the innermost function that the last enter did not newly meet
    Ticks last_ = 0;
    Ticks first_ = 0;       ///< the time of the first event
    std::size_t base_ = 0;  ///< frames below belong to the surrounding team, and no leave may close them
    Ticks flushBegin_ =
        std::numeric_limits<Ticks>::min();  ///< of a flush to come; makes the first event special
    Ticks flushEnd_ = 0;
    bool started_ = false;
    std::uint64_t counted_ = 1;  ///< 0: what happens now does not count, only its time
    Counting counting_ = Counting::Now;
    EventRange countedEvents_;
    bool prepares_;    ///< `prepare` has something to do
    bool knowsPaths_;  ///< the calls that led to regions are known
    HeldEvents held_;
    TimeSharing sharing_;
    NodeId next_ = kOutside;      ///< what the present event enters, where its calls are known
    NodeId met_ = kOutside;       ///< the function of the last sample since the last event
    NodeId metBelow_ = kOutside;  ///< above `met_`; what stands between was met since the last event
    Ticks sampledUntil_ = std::numeric_limits<Ticks>::min();  ///< the latest sample between events

    // Explicit tasks: while one runs, its frames are in `stack_` and the implicit task's are put aside.
    TaskRun run_;
    std::vector<TaskRun> outerRuns_;  ///< of tasks that made the teams which the location is in

    std::string program_;
    std::vector<Period> periods_;
    bool isInPeriod_ = false;  ///< the last of them goes on
    MessageRecorder messages_;
    SpecialCalls special_;
    TeamRecorder teams_;
    CounterRecorder counters_;
    StackPaths paths_;
    SharedFrames sharedFrames_;
    TaskPlaces taskPlaces_;
};

}  // namespace holos::analyzer::replay
