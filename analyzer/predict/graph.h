// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "analyzer/replay/records.h"

/// A run as a graph that can be timed again: what each location does one after the other, and what it has to
/// wait for.
namespace holos::analyzer::predict {

using replay::kNone;
using replay::NodeId;
using trace::Ticks;

/// What happens in the time before a mark.
enum class Piece : std::uint8_t {
    Work,     ///< takes as long as the work does
    Message,  ///< a call of MPI: lasts until what it depends on has come, and then for its own time
    Collective,
    Apart,    ///< the same of what no network makes quicker: files, and the start and end of MPI
    Threads,  ///< the same of forks, joins, barriers and the start of threads
    Lock
};

/// How many move how much in a collective operation: what its cost depends on.
struct Exchange {
    std::uint32_t mark = kNone;  ///< the one that it ends at
    replay::Collective operation = replay::Collective::Barrier;
    std::uint32_t participants = 0;
    std::uint64_t bytes = 0;
};

/// A point in a location's time. Its recorded time is known, and what comes before it is a piece.
///
///     ──work──┤enter   MPI_Recv    leave├──work──┤…        ┤ marks
/// There are many: each has 24 bytes, so that a location may have 2^29 slices.
struct Mark {
    Ticks time = 0;
    std::uint32_t dependencies = 0;  ///< its first one in those of the location; up to those of the next mark
    std::uint32_t arrivals = 0;      ///< the same of the meetings that it counts for
    std::uint32_t slice : 29 = 0;    ///< of the profile, in which the piece before it lies
    Piece piece : 3 = Piece::Work;
    NodeId node;  ///< the call in which it waits before, if it does in one
};
static_assert(sizeof(Mark) == 24);

/// At the starts of barriers: work that is done inside of them, by mark. Few marks have any.
class TasksAtMarks {
  public:
    /// Marks ascend.
    void add(std::uint32_t mark, Ticks tasks) {
        if (tasks != 0) tasks_.emplace_back(mark, tasks);
    }
    Ticks operator[](std::uint32_t mark) const {
        if (tasks_.empty()) return 0;
        const auto at = std::lower_bound(tasks_.begin(), tasks_.end(), std::pair(mark, kFirst));
        return at != tasks_.end() && at->first == mark ? at->second : 0;
    }

  private:
    static constexpr Ticks kFirst = std::numeric_limits<Ticks>::min();
    std::vector<std::pair<std::uint32_t, Ticks>> tasks_;
};

/// A mark waits for another one, or for a meeting.
struct Dependency {
    enum class Kind : std::uint8_t {
        Mark,
        Meeting,
        Message,     ///< mark of the sender; the message takes its time
        Rendezvous,  ///< mark of the post of a receive, without which a large message does not start
        Lock         ///< mark of the release
    };
    std::uint32_t location = kNone;
    std::uint32_t position = kNone;  ///< of the mark there, or of the meeting
    std::uint32_t travel = kNone;    ///< where it takes time
    Kind kind = Kind::Mark;
};

/// What comes from one mark to another.
struct Travel {
    Ticks lag = 0;            ///< how much later than the other one at least
    std::uint64_t bytes = 0;  ///< of a message
};

/// Several who wait for each other: complete when all have come.
struct Meeting {
    Ticks last = std::numeric_limits<Ticks>::min();  ///< when the last one came, as recorded
    std::uint32_t arrivals = 0;                      ///< how many have to come
    std::uint32_t next = kNone;                      ///< a meeting that this one counts for as an arrival
};

struct LocationGraph {
    std::vector<Mark> marks;  ///< in their order
    std::vector<Dependency> dependencies;
    std::vector<Travel> travels;
    std::vector<std::uint32_t> arrivals;  ///< numbers of meetings
    std::vector<Exchange> exchanges;      ///< by mark, ascending
    TasksAtMarks tasks;
    bool startsByItself = true;  ///< at its recorded time, and not when others make it start

    std::span<const Dependency> dependenciesOf(std::uint32_t mark) const {
        const std::size_t end = mark + 1 < marks.size() ? marks[mark + 1].dependencies : dependencies.size();
        return {dependencies.data() + marks[mark].dependencies, end - marks[mark].dependencies};
    }
    std::span<const std::uint32_t> arrivalsAt(std::uint32_t mark) const {
        const std::size_t end = mark + 1 < marks.size() ? marks[mark + 1].arrivals : arrivals.size();
        return {arrivals.data() + marks[mark].arrivals, end - marks[mark].arrivals};
    }
    Travel travelOf(const Dependency& dependency) const {
        return dependency.travel == kNone ? Travel{} : travels[dependency.travel];
    }
    /// Null where no collective operation ends.
    const Exchange* exchangeAt(std::uint32_t mark) const {
        const auto at =
            std::lower_bound(exchanges.begin(), exchanges.end(), mark,
                             [](const Exchange& exchange, std::uint32_t m) { return exchange.mark < m; });
        return at != exchanges.end() && at->mark == mark ? &*at : nullptr;
    }
};

/// What the graph had to leave out.
struct Omissions {
    std::uint64_t contradicted = 0;  ///< dependencies that the recorded times exclude
    std::uint64_t unmatched = 0;     ///< messages of which only one end is known
};

struct RunGraph {
    std::vector<LocationGraph> locations;  ///< by trace::LocationId
    std::vector<Meeting> meetings;
    Omissions omissions;

    /// When a dependency of a location allowed its mark to come, as recorded.
    Ticks recorded(const LocationGraph& location, const Dependency& dependency) const {
        const Ticks time = dependency.kind == Dependency::Kind::Meeting
                               ? meetings[dependency.position].last
                               : locations[dependency.location].marks[dependency.position].time;
        return time + location.travelOf(dependency).lag;
    }
};

}  // namespace holos::analyzer::predict
