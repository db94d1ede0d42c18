// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "analyzer/memory/records.h"
#include "analyzer/replay/records.h"

namespace holos::analyzer::predict {

using replay::kNone;
using replay::NodeId;
using trace::Ticks;

/// What happens in the time before a mark.
enum class Piece : std::uint8_t {
    Work,     ///< takes as long as the work does
    Message,  ///< a call of MPI: lasts until what it depends on has come, and then for its own time
    Collective,
    Apart,  ///< as a collective operation that no network makes quicker: files, and the start and end of MPI
    Threads,  ///< as a collective operation of threads: forks, joins, barriers and the start of threads
    Lock
};

/// How many move how much in a collective operation: what its cost depends on.
struct Exchange {
    replay::Collective operation = replay::Collective::Barrier;
    std::uint32_t participants = 0;
    std::uint64_t bytes = 0;
};

/// What comes from one mark to another.
struct Travel {
    Ticks lag = 0;            ///< how much later than the other one at least
    std::uint64_t bytes = 0;  ///< of a message
};

/// A mark waits for another one, or for a meeting.
struct Dependency {
    enum class Kind : std::uint8_t {
        Mark,
        Meeting,
        Message,     ///< mark of the sender; the message takes its time
        Rendezvous,  ///< mark of the post of a receive, without which a large message does not start
        Lock,        ///< mark of the release
        Progress     ///< mark of the other end of a message, which moves only while that is in MPI
    };
    Kind kind = Kind::Mark;
    std::uint32_t location = kNone;
    std::uint32_t position = kNone;  ///< among the awaited marks there, or of the meeting
    Ticks slack = 0;                 ///< how long before the mark it let it come, as recorded
    Travel travel;
};

/// A point in a location's time. Its recorded time is known, and what comes before it is a piece.
///
///     ──work──┤enter   MPI_Recv    leave├──work──┤…        ┤ marks
struct Mark {
    Ticks time = 0;
    std::uint32_t slice = 0;  ///< of the profile, in which the piece before it lies
    Piece piece = Piece::Work;
    bool isAwaited = false;  ///< other locations wait for it
    NodeId node;             ///< the call in which it waits before, if it does in one
    Ticks tasks = 0;         ///< of the start of a barrier: work that is done inside of it
    std::vector<Dependency> dependencies;
    std::vector<std::uint32_t> arrivals;  ///< numbers of the meetings that it counts for
    std::optional<Exchange> exchange;     ///< where a collective operation ends
};

/// The marks of a location, to be read from the first to the last. Each is written as its difference from the
/// one before, because there may be very many: one of a short parallel region takes about six bytes.
/// Thread safety: safe to read.
class PackedMarks {
    /// What numbers are written as differences from.
    struct Last {
        Ticks time = 0;
        std::uint32_t slice = 0;
        std::uint32_t location = 0;
        std::uint32_t position = 0;
        std::uint32_t meeting = 0;
    };

  public:
    std::uint32_t size() const { return size_; }

    /// Reads one mark after the other, from the first one on.
    class Reader {
      public:
        explicit Reader(const PackedMarks& marks) : next_(marks.bytes_.data()), size_(marks.size_) { read(); }

        bool isAtEnd() const { return position_ == size_; }
        /// Of the mark that it stands at.
        std::uint32_t position() const { return position_; }
        /// Valid until the next one is read.
        const Mark& operator*() const { return mark_; }
        const Mark* operator->() const { return &mark_; }
        void next() {
            ++position_;
            read();
        }

      private:
        void read();
        void readDependencies();
        void readArrivals();

        const std::uint8_t* next_;
        std::uint32_t size_;
        std::uint32_t position_ = 0;
        Last last_;
        Mark mark_;
    };

  private:
    friend class MarkPacker;

    Records<std::uint8_t> bytes_{heap()};
    std::uint32_t size_ = 0;
};

/// Makes packed marks. Times and slices ascend.
class MarkPacker {
  public:
    void append(const Mark& mark);
    PackedMarks take() { return std::move(marks_); }

  private:
    void put(std::uint64_t number);
    void putDependencies(const std::vector<Dependency>& dependencies);
    void putArrivals(const std::vector<std::uint32_t>& arrivals);

    PackedMarks marks_;
    PackedMarks::Last last_;
};

/// A run as a graph that can be timed again: what each location does one after the other, and what it has to
/// wait for.

/// Several who wait for each other: complete when all have come.
struct Meeting {
    std::uint32_t arrivals = 0;  ///< how many have to come
    std::uint32_t next = kNone;  ///< a meeting that this one counts for as an arrival
};

/// Ticks of a few marks.
class TicksAtMarks {
  public:
    /// Marks ascend.
    void add(std::uint32_t mark, Ticks ticks) { ticks_.emplace_back(mark, ticks); }
    Ticks operator[](std::uint32_t mark) const {
        if (ticks_.empty()) return 0;
        const auto at = std::lower_bound(ticks_.begin(), ticks_.end(), std::pair(mark, kFirst));
        return at != ticks_.end() && at->first == mark ? at->second : 0;
    }

  private:
    static constexpr Ticks kFirst = std::numeric_limits<Ticks>::min();
    std::vector<std::pair<std::uint32_t, Ticks>> ticks_;
};

/// How long a call had no processor, beyond its waits.
struct Lack {
    std::uint32_t slice = 0;  ///< of the profile, where the call has that time
    NodeId node;              ///< of the call
    Ticks ticks = 0;
};

struct LocationGraph {
    PackedMarks marks;     ///< in their order
    TicksAtMarks lacking;  ///< at ends of calls of MPI: how long these had no processor, beyond their waits
    std::vector<Lack>
        lackingAside;           ///< of calls that end at no mark, such as tests that find nothing; by slice
    Ticks first = 0;            ///< the times of the first and
    Ticks last = 0;             ///< of the last one
    std::uint32_t awaited = 0;  ///< how many of them others wait for
    /// Equal for threads that the program has started and that are there together, until none of them is
    /// there any more; `kNone` for all others.
    std::uint32_t together = kNone;
};

/// What the graph had to leave out.
struct Omissions {
    std::uint64_t contradicted = 0;  ///< dependencies that the recorded times exclude
    std::uint64_t unmatched = 0;     ///< messages of which only one end is known
    /// Stays in calls that found nothing, and ended before what they ask for began.
    std::uint64_t inVain = 0;
};

struct RunGraph {
    std::vector<LocationGraph> locations;  ///< by trace::LocationId
    Records<Meeting> meetings{heap()};
    std::uint64_t dependencies = 0;  ///< of all marks
    Omissions omissions;
};

}  // namespace holos::analyzer::predict
