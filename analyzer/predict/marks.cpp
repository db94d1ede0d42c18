// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/predict/marks.h"

#include "analyzer/patterns/conditions.h"

namespace holos::analyzer::predict {
namespace {

std::pair<Note, Note> notesOfStay(const replay::ParallelRecord& stay, std::uint32_t number) {
    return {{stay.enter, stay.slice, number, {}, Phase::Begins, Piece::Threads, Source::StayEnter},
            {stay.leave, stay.leaveSlice, number, {}, Phase::LeavesRegion, Piece::Work, Source::StayLeave}};
}

std::pair<Note, Note> notesOfBarrier(const replay::BarrierRecord& barrier, std::uint32_t number) {
    return {{barrier.enter, barrier.slice, number, {}, Phase::Begins, Piece::Work, Source::BarrierEnter},
            {barrier.leave, barrier.slice, number, barrier.node, Phase::Ends, Piece::Threads,
             Source::BarrierLeave}};
}

template <class Records>
bool areInOrder(PairedNotes<Records> notes) {
    if (notes.front() == nullptr) return true;
    Note last = *notes.front();
    for (notes.pop(); notes.front() != nullptr; notes.pop()) {
        if (isBefore(*notes.front(), last)) return false;
        last = *notes.front();
    }
    return true;
}

template <class Records>
void append(analyzer::Records<Note>& all, PairedNotes<Records> notes) {
    for (; notes.front() != nullptr; notes.pop()) all.push_back(*notes.front());
}

void sort(Records<Note>& notes) {
    mergeRuns(notes, isBefore);
}

/// Collects either the notes of kept marks, or these marks, once.
class Collection {
  public:
    Collection(const replay::LocationTrace& trace, const patterns::LocationWaits& waits)
        : trace_(trace), waits_(waits) {}

    Records<Note> notes() {
        collectKept();
        sort(notes_);
        return std::move(notes_);
    }

    LocationMarks kept(bool isFirst) {
        if (isFirst)
            result_.earliest = trace_.begin;
        else
            result_.earliest = std::numeric_limits<Ticks>::min();
        collectKept();
        sort(notes_);
        result_.kept.reserve(notes_.size() + 1);
        for (const Note& note : notes_) {
            *targets_[note.record] = static_cast<std::uint32_t>(result_.kept.size());
            keep(note.time, note.piece);
        }
        result_.of.end = static_cast<std::uint32_t>(result_.kept.size());
        keep(trace_.end, Piece::Work);
        return std::move(result_);
    }

  private:
    static void none(std::vector<std::uint32_t>& marks, std::size_t size) { marks.assign(size, kNone); }

    void keep(Ticks time, Piece piece) {
        KeptMark mark;
        mark.time = std::max(time, result_.kept.empty() ? result_.earliest : result_.kept.back().time);
        mark.piece = piece;
        result_.kept.push_back(mark);
    }
    void collectKept() {
        collectCalls();
        collectStartups();
        collectForks();
        collectLocks();
        collectThreads();
        collectPolls();
        collectLockTests();
    }

    void note(Ticks time, std::uint32_t slice, Phase phase, Piece piece, NodeId node, std::uint32_t& mark) {
        notes_.push_back(
            {time, slice, static_cast<std::uint32_t>(targets_.size()), node, phase, piece, Source::Kept});
        targets_.push_back(&mark);
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

    void collectForks() {
        const replay::ThreadRecords& threads = trace_.threads;
        none(result_.of.forks, threads.forks.size());
        none(result_.of.joins, threads.forks.size());
        std::size_t i = 0;
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

    /// A thread that is alone has no slices of locks: nobody waits there. A row of waits at a condition that
    /// end with their timeout, until a signal ends the last one, is one wait for that signal: the more
    /// timeouts it has, the later the signal comes.
    void collectLocks() {
        const auto& locks = trace_.threads.locks;
        none(result_.of.locks, locks.size());
        lockBegins_.assign(locks.size(), kNone);
        const patterns::ConditionTimes times(trace_.threads);
        bool isInRow = false;
        for (std::size_t i = 0; i < locks.size(); ++i) {
            const replay::LockRecord& lock = locks[i];
            if (lock.slice == 0) continue;
            if (lock.acquired) {
                if (!isInRow) note(lock.begin, lock.slice, Phase::Begins, Piece::Work, {}, lockBegins_[i]);
                isInRow = times.metricOf(i) == &patterns::kConditionSignalWait &&
                          patterns::timeoutOf(trace_.threads, lock) != nullptr;
                if (isInRow) continue;
                note(lock.time, lock.slice, Phase::Ends,
                     trace::isWoken(lock.kind) ? Piece::Threads : Piece::Lock, lock.node,
                     result_.of.locks[i]);
            } else if (!isInRow) {
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
        const auto& waits = waits_.dependencies;
        none(result_.of.polls, waits.size());
        pollBegins_.assign(waits.size(), kNone);
        for (std::size_t i = 0; i < waits.size(); ++i) {
            if (!isOfPolls(waits[i])) continue;
            const patterns::End& polls = waits[i].waiter;
            note(polls.begin, polls.slice, Phase::Begins, Piece::Work, {}, pollBegins_[i]);
            note(endOf(polls), polls.slice, Phase::Ends, Piece::Message, polls.node, result_.of.polls[i]);
        }
    }
    /// Until the call that found something, where nothing was done between the last of them and that.
    Ticks endOf(const patterns::End& polls) const {
        const auto& records = trace_.polls;
        const auto record = std::ranges::lower_bound(records, polls.event, {}, &replay::PollRecord::event);
        return record != records.end() && record->event == polls.event ? std::max(record->next, polls.leave)
                                                                       : polls.leave;
    }

    /// Nothing was done between the last of them and the call that had the lock at last.
    void collectLockTests() {
        const auto& polls = trace_.polls;
        none(result_.of.lockTests, polls.size());
        lockTestBegins_.assign(polls.size(), kNone);
        for (std::size_t i = 0; i < polls.size(); ++i) {
            if (!asksForLocks(polls[i]) || polls[i].found == kNone) continue;
            note(polls[i].begin, polls[i].slice, Phase::Begins, Piece::Work, {}, lockTestBegins_[i]);
            note(polls[i].next, polls[i].slice, Phase::Ends, Piece::Lock, polls[i].node,
                 result_.of.lockTests[i]);
        }
    }

    const replay::LocationTrace& trace_;
    const patterns::LocationWaits& waits_;
    LocationMarks result_;
    Records<Note> notes_{heap()};
    std::vector<std::uint32_t> lockBegins_;
    std::vector<std::uint32_t> pollBegins_;
    std::vector<std::uint32_t> lockTestBegins_;
    std::vector<std::uint32_t> joinBegins_;
    Records<std::uint32_t*> targets_{heap()};  ///< of kept marks, by note: where its position is wanted
};

}  // namespace

LocationMarks marksOf(const replay::LocationTrace& trace, const patterns::LocationWaits& waits,
                      bool isFirst) {
    return Collection(trace, waits).kept(isFirst);
}

Notes::Notes(const replay::LocationTrace& trace, const patterns::LocationWaits& waits)
    : sorted_(Collection(trace, waits).notes()),
      stays_(trace.threads.parallels, notesOfStay),
      barriers_(trace.threads.barriers, notesOfBarrier) {
    areSorted_ = areInOrder(stays_) && areInOrder(barriers_);
    if (areSorted_) return;
    append(sorted_, stays_);
    append(sorted_, barriers_);
    sort(sorted_);
}

/// Of those at the same place, the kept one comes first, and then the one of a parallel region.
const Note* Notes::next() {
    const Note* first = at_ < sorted_.size() ? &sorted_[at_] : nullptr;
    const auto isFirst = [&first](const Note* other) {
        return other != nullptr && (first == nullptr || isBefore(*other, *first));
    };
    if (areSorted_ && isFirst(stays_.front())) first = stays_.front();
    if (areSorted_ && isFirst(barriers_.front())) first = barriers_.front();
    if (first == nullptr) return nullptr;
    next_ = *first;
    if (first == stays_.front())
        stays_.pop();
    else if (first == barriers_.front())
        barriers_.pop();
    else
        ++at_;
    return &next_;
}

}  // namespace holos::analyzer::predict
