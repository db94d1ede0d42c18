// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/predict/marks.h"

#include <tuple>

#include "analyzer/predict/merge_runs.h"

namespace holos::analyzer::predict {

namespace {

/// What stands at the same time is told apart by the slices of the profile, which count what synchronizes,
/// and within one by these.
enum class Phase : std::uint8_t { Begins, Ends, LeavesRegion, Forks, Joins, Joined, Last };

struct Note {
    Ticks time;
    std::uint32_t slice;
    Phase phase;
    Piece piece;
    NodeId node;
    Ticks tasks;
    std::uint32_t* mark;  ///< where its position is wanted

    auto key() const { return std::tuple(time, slice, phase); }
};

class Collection {
  public:
    Collection(const replay::LocationTrace& trace, const patterns::LocationWaits& waits)
        : trace_(trace), waits_(waits) {}

    LocationMarks run(bool isFirst) {
        collectCalls();
        collectStartups();
        collectTeams();
        collectBarriers();
        collectLocks();
        collectThreads();
        collectPolls();
        mergeRuns(notes_, [](const Note& a, const Note& b) { return a.key() < b.key(); });
        result_.marks.reserve(notes_.size() + 2);
        if (isFirst) result_.marks.emplace_back().time = trace_.begin;
        for (const Note& note : notes_) add(note);
        add({trace_.end, latest_, Phase::Last, Piece::Work, {}, 0, &result_.of.end});
        return std::move(result_);
    }

  private:
    static void none(std::vector<std::uint32_t>& marks, std::size_t size) { marks.assign(size, kNone); }

    void note(Ticks time, std::uint32_t slice, Phase phase, Piece piece, NodeId node, std::uint32_t& mark,
              Ticks tasks = 0) {
        notes_.push_back({time, slice, phase, piece, node, tasks, &mark});
    }

    void collectCalls() {
        const auto& calls = trace_.messages.calls;
        none(result_.of.callEnters, calls.size());
        none(result_.of.callLeaves, calls.size());
        for (std::size_t i = 0; i < calls.size(); ++i) {
            const replay::Call& call = calls[i];
            note(call.enter, call.slice, Phase::Begins, Piece::Work, {}, result_.of.callEnters[i]);
            note(call.leave, call.slice, Phase::Ends, Piece::Message, call.node, result_.of.callLeaves[i]);
        }
    }

    void collectStartup(const replay::Startup& call, std::uint32_t& enter, std::uint32_t& leave) {
        if (!call.seen) return;
        note(call.enter, call.slice, Phase::Begins, Piece::Work, {}, enter);
        note(call.leave, call.slice, Phase::Ends, Piece::Apart, call.node, leave);
    }
    void collectStartups() {
        collectStartup(trace_.init, result_.of.initEnter, result_.of.initLeave);
        collectStartup(trace_.finalize, result_.of.finalizeEnter, result_.of.finalizeLeave);
    }

    void collectTeams() {
        const replay::ThreadRecords& threads = trace_.threads;
        none(result_.of.stayEnters, threads.parallels.size());
        none(result_.of.stayLeaves, threads.parallels.size());
        none(result_.of.forks, threads.forks.size());
        none(result_.of.joins, threads.forks.size());
        std::size_t i = 0;
        for (const replay::ParallelRecord& record : threads.parallels) {
            note(record.enter, record.slice, Phase::Begins, Piece::Threads, {}, result_.of.stayEnters[i]);
            note(record.leave, record.leaveSlice, Phase::LeavesRegion, Piece::Work, {},
                 result_.of.stayLeaves[i++]);
        }
        i = 0;
        auto stay = threads.parallels.begin();
        for (const replay::Fork& fork : threads.forks) {
            // Stays and forks both stand in the order of their starts.
            while (stay != threads.parallels.end() && stay->team != fork.team && stay->enter <= fork.fork)
                ++stay;
            const bool isFound = stay != threads.parallels.end() && stay->team == fork.team;
            const std::uint32_t slice = isFound ? stay->slice : 1;
            note(fork.fork, std::max<std::uint32_t>(slice, 1) - 1, Phase::Forks, Piece::Work, {},
                 result_.of.forks[i]);
            if (fork.isJoined())
                note(fork.join, fork.joinSlice, Phase::Begins, Piece::Threads, fork.parent,
                     result_.of.joins[i]);
            ++i;
        }
    }

    void collectBarriers() {
        const auto& barriers = trace_.threads.barriers;
        none(result_.of.barrierEnters, barriers.size());
        none(result_.of.barrierLeaves, barriers.size());
        std::size_t i = 0;
        for (const replay::BarrierRecord& barrier : barriers) {
            const Ticks tasks = std::clamp<Ticks>(barrier.tasks, 0, barrier.leave - barrier.enter);
            note(barrier.enter, barrier.slice, Phase::Begins, Piece::Work, {}, result_.of.barrierEnters[i],
                 tasks);
            note(barrier.leave, barrier.slice, Phase::Ends, Piece::Threads, barrier.node,
                 result_.of.barrierLeaves[i++]);
        }
    }

    /// A thread that is alone has no slices of locks: nobody waits there.
    void collectLocks() {
        const auto& locks = trace_.threads.locks;
        none(result_.of.locks, locks.size());
        lockBegins_.assign(locks.size(), kNone);
        for (std::size_t i = 0; i < locks.size(); ++i) {
            const replay::LockRecord& lock = locks[i];
            if (lock.slice == 0) continue;
            if (lock.acquired) {
                note(lock.begin, lock.slice, Phase::Begins, Piece::Work, {}, lockBegins_[i]);
                note(lock.time, lock.slice, Phase::Ends, Piece::Lock, lock.node, result_.of.locks[i]);
            } else {
                note(lock.time, lock.slice, Phase::Begins, Piece::Work, {}, result_.of.locks[i]);
            }
        }
    }

    void collectThreads() {
        const auto& starts = trace_.threads.starts;
        none(result_.of.starts, starts.size());
        for (std::size_t i = 0; i < starts.size(); ++i)
            note(starts[i].time, starts[i].slice, Phase::Begins,
                 starts[i].begins ? Piece::Threads : Piece::Work, {}, result_.of.starts[i]);
        const auto& joins = trace_.threads.joins;
        none(result_.of.threadJoins, joins.size());
        joinBegins_.assign(joins.size(), kNone);
        for (std::size_t i = 0; i < joins.size(); ++i) {
            note(joins[i].enter, joins[i].slice, Phase::Joins, Piece::Work, {}, joinBegins_[i]);
            note(joins[i].leave, joins[i].slice, Phase::Joined, Piece::Threads, joins[i].node,
                 result_.of.threadJoins[i]);
        }
    }

    void collectPolls() {
        none(result_.of.polls, waits_.polls.size());
        pollBegins_.assign(waits_.polls.size(), kNone);
        for (std::size_t i = 0; i < waits_.polls.size(); ++i) {
            const replay::PollRecord& polls = trace_.polls[waits_.polls[i].polls];
            note(polls.begin, polls.slice, Phase::Begins, Piece::Work, {}, pollBegins_[i]);
            note(polls.end, polls.slice, Phase::Ends, Piece::Message, polls.node, result_.of.polls[i]);
        }
    }

    void add(const Note& note) {
        *note.mark = static_cast<std::uint32_t>(result_.marks.size());
        Mark mark;
        mark.time = note.time;
        if (!result_.marks.empty()) mark.time = std::max(mark.time, result_.marks.back().time);
        result_.tasks.add(*note.mark, note.tasks);
        mark.slice = latest_;
        mark.node = note.node;
        mark.piece = note.piece;
        result_.marks.push_back(mark);
        if (note.phase == Phase::Begins) latest_ = std::max(latest_, note.slice);
    }

    const replay::LocationTrace& trace_;
    const patterns::LocationWaits& waits_;
    LocationMarks result_;
    std::vector<Note> notes_;
    std::vector<std::uint32_t> lockBegins_;
    std::vector<std::uint32_t> pollBegins_;
    std::vector<std::uint32_t> joinBegins_;
    std::uint32_t latest_ = 0;  ///< the slice that began last
};

}  // namespace

LocationMarks marksOf(const replay::LocationTrace& trace, const patterns::LocationWaits& waits,
                      bool isFirst) {
    return Collection(trace, waits).run(isFirst);
}

}  // namespace holos::analyzer::predict
