// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/replay/clock.h"
#include "analyzer/replay/counter_recorder.h"
#include "analyzer/replay/diagnosis_log.h"
#include "analyzer/replay/file_recorder.h"
#include "analyzer/replay/held_events.h"
#include "analyzer/replay/local_tree.h"
#include "analyzer/replay/message_recorder.h"
#include "analyzer/replay/poll_recorder.h"
#include "analyzer/replay/profile_recorder.h"
#include "analyzer/replay/records.h"
#include "analyzer/replay/shared_frames.h"
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

/// What a location called, how long it was there, and what was counted meanwhile.
/// Time between two moments at which recording was switched.
struct Period {
    Ticks begin = 0;
    Ticks end = 0;
};

struct LocationCalls {
    LocalTree tree;
    TaskPlaces taskPlaces;
    std::string program;  ///< of its ProgramBegin, without folders
    CounterRecords counters;
    std::vector<SharedTime> shared;  ///< what the tree has already, and the profile has not
    std::vector<Diagnosis> diagnoses;
    std::vector<Period> periods;  ///< in which it was recorded, where recording was switched off and on
    std::uint64_t events = 0;
};

/// What a location had to do with others.
struct LocationTrace {
    explicit LocationTrace(Memory memory = heap())
        : messages(memory), threads(memory), rma(memory), polls(memory), profile(memory) {}

    MessageRecords messages;
    ThreadRecords threads;
    Records<RmaRecord> rma;
    Records<PollRecord> polls;
    FileRecords files;
    PackedSlices profile;  ///< time by node between synchronizing calls; empty when not wanted
    Startup init;
    Startup finalize;
    Ticks begin = 0;     ///< of the first event
    Ticks end = 0;       ///< of the last one
    EventRange counted;  ///< whose messages and bytes count
};

/// What remains of a location after its replay.
struct ReplayedLocation {
    explicit ReplayedLocation(Memory memory) : trace(memory) {}
    ReplayedLocation(LocationCalls allCalls, LocationTrace records)
        : calls(std::move(allCalls)), trace(std::move(records)) {}

    LocationCalls calls;
    LocationTrace trace;
};

/// Replays one location in a single pass: keeps the call stack and the time of every call path, and hands
/// synchronization events to the recorders. Events come in the order of the file; `event` is their number.
/// Thread safety: one thread for each location.
class LocationReplay {
  public:
    /// `clock`: what corrects the times of the events; without one they count as they come.
    LocationReplay(const Context& context, trace::LocationId self, Clock* clock = nullptr);
    LocationReplay(const LocationReplay&) = delete;
    LocationReplay& operator=(const LocationReplay&) = delete;
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

    void mpiSend(std::uint64_t event, Ticks time, const Message& message);
    void mpiIsend(std::uint64_t event, Ticks time, const Message& message, std::uint64_t request);
    void mpiIsendComplete(std::uint64_t event, Ticks time, std::uint64_t request);
    void mpiIrecvRequest(std::uint64_t event, Ticks time, std::uint64_t request);
    void mpiRecv(std::uint64_t event, Ticks time, const Message& message);
    void mpiIrecv(std::uint64_t event, Ticks time, const Message& message, std::uint64_t request);
    void mpiRequestCancelled(std::uint64_t event, Ticks time, std::uint64_t request);
    void mpiCollectiveBegin(std::uint64_t event, Ticks time);
    void mpiCollectiveEnd(std::uint64_t event, Ticks time, const CollectiveRecord& collective);
    void mpiCollectiveRequest(std::uint64_t event, Ticks time, std::uint64_t request);
    void mpiCollectiveComplete(std::uint64_t event, Ticks time, const CollectiveRecord& collective,
                               std::uint64_t request);

    void rmaCollectiveBegin(std::uint64_t event, Ticks time) { mpiCollectiveBegin(event, time); }
    void rmaCollectiveEnd(std::uint64_t event, Ticks time, std::uint32_t window, Collective operation);
    void rmaGroupSync(std::uint64_t event, Ticks time, std::uint32_t window, std::uint32_t group);
    void rmaLock(std::uint64_t event, Ticks time, std::uint32_t window, std::uint32_t target, bool exclusive);
    void rmaUnlock(std::uint64_t event, Ticks time, std::uint32_t window, std::uint32_t target);
    /// A window, and the number that an operation has there.
    using RmaKey = std::pair<std::uint32_t, std::uint64_t>;
    void rmaAccess(std::uint64_t event, Ticks time, const RmaKey& key, std::uint32_t target,
                   std::uint64_t put, std::uint64_t got);
    void rmaOperationComplete(std::uint64_t event, Ticks time, const RmaKey& key);

    /// `comm`, of an operation of all who have the file open: the file among the communicators.
    void fileBegin(std::uint64_t event, Ticks time, const FileKey& key, FileOperation operation,
                   std::uint64_t bytes, std::uint32_t comm);
    void fileComplete(std::uint64_t event, Ticks time, const FileKey& key, std::uint64_t bytes);
    /// A file was opened, closed or changed by all, in the call around the event.
    void fileCollective(std::uint64_t event, Ticks time, std::uint32_t comm, Collective operation);
    /// A pointer into the file was moved: all have one in common, and each has its own.
    void fileSeek(std::uint64_t event, Ticks time, std::uint32_t comm);

    void threadFork(std::uint64_t event, Ticks time);
    void threadJoin(std::uint64_t event, Ticks time);
    void threadTeamBegin(std::uint64_t event, Ticks time, std::uint32_t comm);
    void threadTeamEnd(std::uint64_t event, Ticks time);
    /// `contingent`: the communicator of the threads, or `kNone`; `number`: of the new one among these.
    void threadCreate(std::uint64_t event, Ticks time, std::uint32_t contingent, std::uint64_t number);
    void threadBegin(std::uint64_t event, Ticks time, std::uint32_t contingent, std::uint64_t number);
    void threadEnd(std::uint64_t event, Ticks time, std::uint32_t contingent, std::uint64_t number);
    void threadWait(std::uint64_t event, Ticks time, std::uint32_t contingent, std::uint64_t number);
    void threadLock(std::uint64_t event, Ticks time, std::uint32_t lock, std::uint32_t order, bool acquired);
    void taskSwitch(std::uint64_t event, Ticks time, const TaskKey& key);
    void taskComplete(std::uint64_t event, Ticks time, const TaskKey& key);

    /// An event that refers to something undefined, or of a kind that is left out.
    void complain(Trouble trouble, const std::string& message, std::uint64_t event, Ticks time) {
        log_.add(trouble, message, event, time);
    }

    /// Closes what is open. Call once, after the last event.
    ReplayedLocation finish(std::uint64_t events);

  private:
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

    /// The present event has a part in the logical order.
    void note(ClockRole role, std::size_t record = kNone, TeamKey team = {}) {
        if (clock_ != nullptr) clock_->note({role, static_cast<std::uint32_t>(record), team});
    }
    void noteReceive(Ticks time, std::uint32_t record);
    /// Times beyond lie centuries away; staying inside keeps differences and their sums in range.
    static constexpr Ticks kLatest = Ticks{1} << 60U;
    Ticks adjust(std::uint64_t event, Ticks time);
    void runPendingFlush();
    void pop(Ticks time);
    void closeSpecial(const Frame& frame, Ticks time);
    void leaveBarrier(const Frame& frame, Ticks time);
    void leavePoll(const Frame& frame, Ticks time);
    void noteFound(const Frame& frame);
    void enterSpecial(std::uint64_t event, NodeId node, trace::Special special);
    /// Whether nothing is recorded now: how regions are left is not seen, either.
    bool isOff() const;
    bool unwindTo(std::uint64_t event, Ticks time, RegionId region);
    bool mayPassOver(const trace::QuietCalls& calls) const;
    void closeDownTo(std::size_t depth, Ticks time);
    /// Of the innermost region.
    trace::CallKind currentKind() const;
    /// The record of the call around the present event, made when it is its first.
    std::uint32_t currentCall(std::uint64_t event);
    /// Of the present event.
    RmaRecord& addRma(RmaRecord::Kind kind, std::uint64_t event, std::uint32_t window);
    /// The end of an operation that this location did not begin.
    void completeStrayFile(std::uint64_t event, Ticks time, const FileKey& key, std::uint64_t bytes);
    /// Those that are not complete are left to matching, here and below.
    FileRecords takeFiles();
    Records<RmaRecord> takeRma();
    void leaveOpen(const RmaKey& key, std::uint32_t record);
    void startThread(std::uint64_t event, std::uint32_t contingent, std::uint64_t number, bool begins);
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
    PollRecorder polls_;
    TeamRecorder teams_;
    CounterRecorder counters_;
    StackPaths paths_;
    SharedFrames sharedFrames_;
    TaskPlaces taskPlaces_;
    Records<RmaRecord> rma_;
    std::map<RmaKey, std::uint32_t> requested_;  ///< records of accesses whose request is not complete
    FileRecorder files_;
    Startup init_;
    Startup finalize_;
};

}  // namespace holos::analyzer::replay
