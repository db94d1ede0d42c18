// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/patterns/waits.h"
#include "analyzer/predict/graph.h"

namespace holos::analyzer::predict {

/// Sorts what consists of a few sorted runs, one behind the other; equal ones keep their order. Quicker than
/// `std::stable_sort`, which does not look for runs.
template <class Values, class Less>
void mergeRuns(Values& values, Less less) {
    std::vector<std::ptrdiff_t> ends{0};
    for (auto end = values.begin(); end != values.end();) {
        end = std::is_sorted_until(end, values.end(), less);
        ends.push_back(end - values.begin());
    }
    while (ends.size() > 2) {
        std::vector<std::ptrdiff_t> merged{0};
        for (std::size_t i = 2; i < ends.size(); i += 2) {
            const auto begin = values.begin();
            std::inplace_merge(begin + ends[i - 2], begin + ends[i - 1], begin + ends[i], less);
            merged.push_back(ends[i]);
        }
        if (ends.size() % 2 == 0) merged.push_back(ends.back());
        ends = std::move(merged);
    }
}

/// Which marks belong to the records of a location, by the position of the record; positions among the kept
/// marks. `kNone` where a record has none.
struct RecordMarks {
    std::vector<std::uint32_t> callEnters;
    std::vector<std::uint32_t> callLeaves;
    std::vector<std::uint32_t> forks;
    std::vector<std::uint32_t> joins;
    std::vector<std::uint32_t> locks;        ///< the acquisition or release itself
    std::vector<std::uint32_t> starts;       ///< of threads
    std::vector<std::uint32_t> threadJoins;  ///< the end of a call that waits for a thread's end
    std::vector<std::uint32_t> polls;        ///< by dependency: the end of the calls that found nothing
    std::vector<std::uint32_t> lockTests;    ///< by record of polls: the same of those that ask for locks
    std::uint32_t initLeave = kNone;
    std::uint32_t initEnter = kNone;
    std::uint32_t finalizeLeave = kNone;
    std::uint32_t finalizeEnter = kNone;
    std::uint32_t end = kNone;
};

/// A mark while the graph is put together.
struct KeptMark {
    Ticks time = 0;
    Piece piece = Piece::Work;
    bool isAwaited = false;
    std::uint32_t number = kNone;  ///< among the awaited ones of its location
};

/// The one who waits called something again and again that found nothing: not one of the location's calls.
inline bool isOfPolls(const patterns::Dependency& wait) {
    return wait.waiter.call == kNone && !patterns::isOfThreads(wait.kind);
}

/// All but the stays of threads in parallel regions and their barriers, of which there may be very many:
/// these are looked at one after the other only.
struct LocationMarks {
    std::vector<KeptMark> kept;
    RecordMarks of;
    Ticks earliest = 0;  ///< no mark comes before
};

/// The kept marks of one location in their order. `isFirst`: of its process, so that it starts by itself.
LocationMarks marksOf(const replay::LocationTrace& trace, const patterns::LocationWaits& waits, bool isFirst);

/// What a mark is of.
enum class Source : std::uint8_t {
    Begin,
    Kept,  ///< one of `LocationMarks`, which come in their order
    StayEnter,
    StayLeave,
    BarrierEnter,
    BarrierLeave
};

/// What stands at the same time is told apart by the slices of the profile, which count what synchronizes,
/// and within one by these.
enum class Phase : std::uint8_t { Begins, Ends, LeavesRegion, Forks, Joins, Joined, Last };

/// A mark as its record has it.
struct Note {
    Ticks time;
    std::uint32_t slice;           ///< that it begins, or is in
    std::uint32_t record = kNone;  ///< of a stay or barrier: its position
    NodeId node;
    Phase phase;
    Piece piece;
    Source source;
};

/// What is done inside of a barrier.
inline Ticks tasksOf(const replay::BarrierRecord& barrier) {
    return std::clamp<Ticks>(barrier.tasks, 0, std::max<Ticks>(0, barrier.leave - barrier.enter));
}

/// What comes first of what stands at the same time.
inline bool isBefore(const Note& a, const Note& b) {
    return std::tie(a.time, a.slice, a.phase) < std::tie(b.time, b.slice, b.phase);
}

/// Two notes of each record of a kind, one after the other.
template <class Records>
class PairedNotes {
  public:
    using Record = std::decay_t<decltype(*std::declval<const Records&>().begin())>;
    using Make = std::pair<Note, Note> (*)(const Record& record, std::uint32_t number);

    PairedNotes(const Records& records, Make make) : at_(records.begin()), end_(records.end()), make_(make) {
        fill();
    }
    /// Null behind the last.
    const Note* front() const { return !isAny_ ? nullptr : isSecond_ ? &notes_.second : &notes_.first; }
    void pop() {
        isSecond_ = !isSecond_;
        if (isSecond_) return;
        ++at_;
        ++number_;
        fill();
    }

  private:
    void fill() {
        isAny_ = at_ != end_;
        if (isAny_) notes_ = make_(*at_, number_);
    }

    decltype(std::declval<const Records&>().begin()) at_, end_;
    Make make_;
    std::uint32_t number_ = 0;
    bool isAny_ = false;
    bool isSecond_ = false;
    std::pair<Note, Note> notes_;
};

/// For `forEachMark`: those between the beginning and the end, in their order. Those of parallel regions and
/// barriers, of which there may be very many, are made when they are wanted.
class Notes {
  public:
    Notes(const replay::LocationTrace& trace, const patterns::LocationWaits& waits);
    /// The next one, until the call after it; null behind the last.
    const Note* next();

  private:
    Records<Note> sorted_;
    std::size_t at_ = 0;
    PairedNotes<decltype(replay::ThreadRecords::parallels)> stays_;
    PairedNotes<decltype(replay::ThreadRecords::barriers)> barriers_;
    Note next_;
    bool areSorted_ = true;  ///< stays and barriers are not among `sorted_`
};

/// All marks of a location in their order, and in which slice the piece before each lies:
/// `visit(note, slice)`.
template <class Visit>
void forEachMark(const replay::LocationTrace& trace, const patterns::LocationWaits& waits, bool isFirst,
                 Visit&& visit) {
    std::uint32_t latest = 0;  // the slice that began last
    if (isFirst) visit(Note{trace.begin, 0, kNone, {}, Phase::Begins, Piece::Work, Source::Begin}, latest);
    Notes notes(trace, waits);
    while (const Note* note = notes.next()) {
        visit(*note, latest);
        if (note->phase == Phase::Begins) latest = std::max(latest, note->slice);
    }
    visit(Note{trace.end, latest, kNone, {}, Phase::Last, Piece::Work, Source::Kept}, latest);
}

}  // namespace holos::analyzer::predict
