// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "analyzer/memory/packed_records.h"
#include "analyzer/replay/local_tree.h"
#include "analyzer/replay/records.h"

namespace holos::analyzer::replay {

/// What a location has to say about its threads, in the order of its events. In a run of many short parallel
/// regions nothing is more than that, so that it is packed.
struct ThreadRecords {
    explicit ThreadRecords(Memory memory = heap())
        : forks(memory),
          parallels(memory),
          barriers(memory),
          shortages(memory),
          plainShortages(memory),
          forkShortages(memory),
          locks(memory),
          timeouts(memory),
          starts(memory),
          ends(memory),
          joins(memory),
          taskEnds(memory),
          taskStalls(memory) {}

    PackedRecords<Fork> forks;
    PackedRecords<ParallelRecord> parallels;
    PackedRecords<BarrierRecord> barriers;
    Records<BarrierShortage> shortages;  ///< of few barriers
    Records<PlainShortage> plainShortages;
    Records<ForkShortage> forkShortages;
    Records<LockRecord> locks;
    Records<Timeout> timeouts;
    Records<ThreadStart> starts;
    Records<ThreadEnd> ends;
    Records<ThreadJoin> joins;
    Records<TaskEnd> taskEnds;
    Records<TaskStall> taskStalls;
};

// Below, `Differences` is a `DifferenceWriter` or a `DifferenceReader`, and `Record` a constant for the
// former.

template <class Differences, class Key>
void describeNext(Differences& differences, Key& team, const TeamKey& before) {
    differences.number(team.instance, before.instance + 1);
    differences.number(team.comm, before.comm);
}

template <class Differences, class Record>
requires std::is_same_v<std::remove_const_t<Record>, Fork>
void describe(Differences& differences, Record& record, const Fork& before) {
    differences.number(record.fork, before.join);
    differences.number(record.join, record.fork);
    differences.number(record.joinSlice, before.joinSlice);
    differences.id(record.parent, before.parent);
    differences.number(record.flushedBefore, 0);
    differences.number(record.flushedAfter, 0);
    describeNext(differences, record.team, before.team);
}

template <class Differences, class Record>
requires std::is_same_v<std::remove_const_t<Record>, ParallelRecord>
void describe(Differences& differences, Record& record, const ParallelRecord& before) {
    differences.number(record.enter, before.leave);
    differences.number(record.leave, record.enter);
    differences.number(record.event, before.event);
    differences.number(record.slice, before.leaveSlice + 1);
    differences.number(record.leaveSlice, record.slice + 1);
    differences.id(record.node, before.node);
    describeNext(differences, record.team, before.team);
    differences.number(record.barriers, before.barriers);
}

template <class Differences, class Record>
requires std::is_same_v<std::remove_const_t<Record>, BarrierRecord>
void describe(Differences& differences, Record& record, const BarrierRecord& before) {
    differences.number(record.enter, before.leave);
    differences.number(record.leave, record.enter);
    differences.number(record.event, before.event);
    differences.id(record.node, before.node);
    differences.number(record.slice, before.slice + 1);
    // Between barriers of different stays other slices begin.
    const bool isSameStay = record.slice == before.slice + 1;
    differences.number(record.sequence, isSameStay ? before.sequence + 1 : 0);
    differences.number(record.team.instance, before.team.instance + (isSameStay ? 0 : 1));
    differences.number(record.team.comm, before.team.comm);
    differences.number(record.tasks, 0);
    differences.flag(record.implicit);
}

/// Records of what begins and ends, one within the other. They stand in the order of their starts, and are
/// packed as soon as they, and all before them, have ended.
template <class Record>
class OpenRecords {
  public:
    explicit OpenRecords(Memory memory) : packed_(memory) {}

    /// Its position.
    std::uint32_t open(const Record& record) {
        waiting_.push_back(record);
        open_.push_back(size() - 1);
        return size() - 1;
    }
    bool isAnyOpen() const { return !open_.empty(); }
    /// The last one that was opened and not closed.
    Record& innermost() { return waiting_[open_.back() - packed_.size()]; }
    const Record& innermost() const { return waiting_[open_.back() - packed_.size()]; }
    /// The innermost one does not change any more. Its position.
    std::uint32_t close() {
        const std::uint32_t closed = open_.back();
        open_.pop_back();
        packUpTo(open_.empty() ? size() : open_.front());
        return closed;
    }
    std::uint32_t size() const { return packed_.size() + static_cast<std::uint32_t>(waiting_.size()); }

    PackedRecords<Record> take() {
        packUpTo(size());
        return packed_.take();
    }

  private:
    void packUpTo(std::uint32_t end) {
        for (; packed_.size() < end; waiting_.pop_front()) packed_.append(waiting_.front());
    }

    RecordPacker<Record> packed_;
    std::deque<Record> waiting_;       ///< behind those that are packed
    std::vector<std::uint32_t> open_;  ///< positions
};

/// Keeps the teams that a location is in, and makes records of forks, parallel regions, barriers, locks and
/// new threads.
class TeamRecorder {
  public:
    /// A stay in a team. `base` and `depth` are what the replay has to restore at its end.
    struct Stay {
        TeamKey team;
        bool asMaster = false;
        std::optional<Origin> origin;  ///< where its master forked it; nothing when nobody did
        std::uint32_t barriers = 0;
        std::size_t base = 0;
        std::size_t depth = 0;
        bool hasParallel = false;  ///< the record of the team's first parallel region is open
        bool isInTask = false;     ///< an explicit task of an outer team made this one
        Ticks taskTime = 0;        ///< in explicit tasks so far
        Ticks tasksAtBarrier = 0;  ///< the same, at the enter of the barrier
        Ticks quietAtBarrier = 0;  ///< `quiet`, then
    };

    explicit TeamRecorder(Memory memory)
        : forks_(memory),
          parallels_(memory),
          barriers_(memory),
          shortages_(memory),
          plainShortages_(memory),
          forkShortages_(memory),
          locks_(memory),
          timeouts_(memory),
          starts_(memory),
          ends_(memory),
          joins_(memory),
          taskEnds_(memory),
          taskStalls_(memory) {}

    void fork(NodeId parent, Ticks time) {
        forks_.open({{}, parent, kNone, time, time});
        cut_ = parent;
    }
    /// The recorder wrote what it had, between the innermost fork and its join, but not in the region.
    void flushed(Ticks duration) {
        Fork& fork = forks_.innermost();
        (forkPending() || parallelPending() ? fork.flushedBefore : fork.flushedAfter) += duration;
    }
    /// The position of the fork that is joined; `kNone` when there is none.
    std::uint32_t join(Ticks time, std::uint32_t slice);
    std::uint32_t lastFork() const { return forks_.size() - 1; }
    /// The number of this stay in the team, counted per team.
    std::uint32_t nextInstance(std::uint32_t comm);
    /// True when this location forked and nobody began a team since.
    bool forkPending() const { return forks_.isAnyOpen() && forks_.innermost().team.comm == kNone; }
    bool isInFork() const { return forks_.isAnyOpen(); }
    const Fork& innermostFork() const { return forks_.innermost(); }
    /// Where the last fork was, when no team began since: the recording ends there, although workers may
    /// have come.
    std::optional<NodeId> cutFork() const { return cut_; }
    void nameFork(TeamKey team) {
        forks_.innermost().team = team;
        cut_.reset();
    }

    void push(const Stay& stay) { stays_.push_back(stay); }
    bool inTeam() const { return !stays_.empty(); }
    Stay& stay() { return stays_.back(); }
    const Stay& stay() const { return stays_.back(); }
    void pop();

    /// Fork and join belong to the first region of a stay.
    bool parallelPending() const { return !stays_.empty() && !stays_.back().hasParallel; }
    void enterParallel(NodeId node, Ticks time, std::uint64_t event, std::uint32_t slice);
    void leaveParallel(NodeId node, Ticks enter, Ticks time, std::uint32_t slice);
    /// An event and a slice of the profile in which a barrier begins. A task that is executed at a barrier
    /// may have a team of its own, with barriers, and locks: then the outer one has the event and the slice
    /// of the last of these, because records are in the order of their ends.
    /// `quiet`: how long the location was there so far without calling anything.
    void enterBarrier(std::uint64_t event, std::uint32_t slice, Ticks quiet) {
        if (inTeam()) {
            stay().tasksAtBarrier = stay().taskTime;
            stay().quietAtBarrier = quiet;
        }
        barrierEvent_ = event;
        barrierSlice_ = slice;
    }
    /// The position of its record; `kNone` outside of a parallel region, where nobody waits.
    std::uint32_t barrier(NodeId node, bool implicit, Ticks enter, Ticks leave, Ticks quiet);
    /// Of the barrier that was left last.
    void noteShortageAtBarrier(NodeId below, std::uint32_t slice, const TimeOff& off) {
        if (inTeam()) shortages_.push_back({barriers_.size() - 1, slice, below, off});
    }
    void noteShortage(const PlainShortage& shortage) { plainShortages_.push_back(shortage); }
    void noteShortage(const ForkShortage& shortage) { forkShortages_.push_back(shortage); }
    void tasksRan(Ticks duration) {
        if (inTeam()) stay().taskTime += duration;
    }
    void lock(const LockRecord& record) {
        locks_.push_back(record);
        barrierEvent_ = record.event;
        barrierSlice_ = record.slice;
    }
    /// Records of locks so far.
    std::uint32_t locks() const { return static_cast<std::uint32_t>(locks_.size()); }
    /// Of ends of threads.
    std::uint32_t ends() const { return static_cast<std::uint32_t>(ends_.size()); }
    void timedOut(const Timeout& record) { timeouts_.push_back(record); }
    void start(const ThreadStart& record) { starts_.push_back(record); }
    void end(const ThreadEnd& record) { ends_.push_back(record); }
    void joinThread(const ThreadJoin& record) { joins_.push_back(record); }
    void taskEnded(const TaskEnd& record) { taskEnds_.push_back(record); }
    void stalled(const TaskStall& record) { taskStalls_.push_back(record); }

    ThreadRecords take();

  private:
    OpenRecords<Fork> forks_;
    std::optional<NodeId> cut_;
    OpenRecords<ParallelRecord> parallels_;
    RecordPacker<BarrierRecord> barriers_;
    Records<BarrierShortage> shortages_;
    Records<PlainShortage> plainShortages_;
    Records<ForkShortage> forkShortages_;
    Records<LockRecord> locks_;
    Records<Timeout> timeouts_;
    Records<ThreadStart> starts_;
    Records<ThreadEnd> ends_;
    Records<ThreadJoin> joins_;
    Records<TaskEnd> taskEnds_;
    Records<TaskStall> taskStalls_;
    std::vector<Stay> stays_;
    std::vector<std::uint32_t> instances_;  ///< by communicator
    std::uint64_t barrierEvent_ = 0;
    std::uint32_t barrierSlice_ = 0;
};

}  // namespace holos::analyzer::replay
