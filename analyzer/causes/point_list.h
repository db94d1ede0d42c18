// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/memory/records.h"
#include "analyzer/patterns/kind.h"
#include "analyzer/replay/records.h"

namespace holos::analyzer::causes {

using trace::Ticks;

inline constexpr std::uint32_t kNone = replay::kNone;

using patterns::Between;
using patterns::Chain;
using patterns::isOfThreads;
using patterns::Kind;
using patterns::kWaitKinds;
using patterns::traitsOf;

struct PointRef {
    std::uint32_t location = kNone;
    std::uint32_t index = kNone;
};

/// One event at which a location waits, or others wait for it, or all come together.
struct Point {
    std::uint64_t event = 0;  ///< number in the location
    Ticks wait = 0;           ///< of this location
    Ticks before = 0;         ///< duration of the call around it up to the end of the waiting
    /// Where several of MPI come together: when this location came. Of a wait for one other: how long it did
    /// other things before that ended.
    Ticks arrival = 0;
    std::uint32_t slice = 0;        ///< of the profile: begins with the call around it
    std::uint32_t path = kNone;     ///< position of the call path of that call
    std::uint32_t meeting = kNone;  ///< where several come together: its number
    std::uint32_t from = kNone;     ///< of a wait: the last point common with the causer
    PointRef partner;               ///< of a message or another wait of two: the other end
    std::uint32_t process = kNone;  ///< that of the other end
    Kind kind = Kind::Peer;
    bool isWaitedFor = false;  ///< at a team's barrier: others wait for this location
    bool isInBarrier = false;  ///< of a team, which is the last such point before it

    bool isCreation() const { return kind == Kind::ThreadCreate || kind == Kind::ThreadBegin; }
    bool isOmp() const { return kind == Kind::OmpBarrier || kind == Kind::Fork; }
};

/// One location's points in the order of its events, in blocks. In runs of many short parallel regions nearly
/// all are of teams: those are kept small, relative to the first one of their block. Those of a block with a
/// number that is too large for that are kept as they are.
/// Thread safety: safe to read.
class PointList {
  public:
    explicit PointList(Memory memory)
        : blocks_(memory), others_(memory), small_(memory), large_(memory), outer_(memory), busy_(memory) {}

    std::uint32_t size() const { return size_; }
    bool hasTeams() const { return !small_.empty() || !large_.empty(); }
    /// All points are of teams, and none lies between a barrier and its team's point before.
    bool isOfTeamsInTurn() const { return others_.empty() && outer_.empty(); }
    bool isOfTeam(std::uint32_t i) const { return (blocks_[i / kBlock].ofTeams & bit(i)) != 0; }
    bool isFork(std::uint32_t i) const { return isOfTeam(i) && kind(i) == Kind::Fork; }
    /// The location waits there.
    bool isWait(std::uint32_t i) const { return (blocks_[i / kBlock].waits & bit(i)) != 0; }
    /// At a team's barrier: others wait for this location.
    bool isWaitedFor(std::uint32_t i) const { return (blocks_[i / kBlock].waitedFor & bit(i)) != 0; }
    /// Of points of teams, `event` and `arrival` are 0, and `from` and `isWaitedFor` are not there: see
    /// below.
    Point operator[](std::uint32_t i) const;

    /// One member of a point, which takes less than all of them. Also while another worker writes `from` and
    /// `partner` of these points.
    Kind kind(std::uint32_t i) const;
    Ticks wait(std::uint32_t i) const;
    Ticks before(std::uint32_t i) const;
    std::uint32_t slice(std::uint32_t i) const;
    std::uint32_t path(std::uint32_t i) const;
    std::uint32_t meeting(std::uint32_t i) const;
    /// What those ask for who begin with a point.
    struct Start {
        std::uint32_t slice = 0;
        std::uint32_t path = kNone;
        Ticks before = 0;
    };
    Start start(std::uint32_t i) const;
    /// How long a thread ran tasks at a barrier before it waited there.
    Ticks tasks(std::uint32_t i) const;
    /// Of a wait: the last point common with the causer. Of a barrier, that is its team's one before; of a
    /// fork, any team's.
    std::uint32_t from(std::uint32_t i) const {
        return isOfTeam(i) ? fromOfTeam(i) : others_[otherRank(i)].from;
    }
    /// The last point of a team in `begin` ≤ i < `end`; `kNone` when there is none.
    std::uint32_t lastOfTeam(std::uint32_t end, std::uint32_t begin = 0) const {
        return last(&Block::ofTeams, begin, end);
    }

    /// The first point in `begin` ≤ i < `end` at which the location waits; `end` when there is none.
    std::uint32_t nextWait(std::uint32_t begin, std::uint32_t end) const {
        return next(&Block::waits, begin, end);
    }
    /// The next point that others of a team wait for.
    std::uint32_t nextWaitedFor(std::uint32_t begin, std::uint32_t end) const {
        return next(&Block::waitedFor, begin, end);
    }
    /// The last one of these in `begin` ≤ i < `end`; `kNone` when there is none.
    std::uint32_t lastWaitedFor(std::uint32_t begin, std::uint32_t end) const {
        return last(&Block::waitedFor, begin, end);
    }
    /// Calls `visit` with each such point, its wait and its call path, in their order.
    template <class Visit>
    void visitWaits(std::uint32_t begin, std::uint32_t end, Visit&& visit) const;

    /// Calls `visit` with each point that belongs to a meeting, and its meeting's number, in their order.
    template <class Visit>
    void visitMeetings(Visit&& visit) const;

    /// Points that are not of teams, in their order.
    std::span<const Point> others() const { return others_; }
    std::span<Point> others() { return others_; }
    /// How many of them stand before a point.
    std::uint32_t otherRank(std::uint32_t i) const {
        if (!hasTeams()) return i;
        const Block& block = blocks_[i / kBlock];
        return block.others + i % kBlock - teamRank(block, i);
    }
    /// The other way round.
    std::uint32_t positionOfOther(std::uint32_t rank) const;
    const Point& other(std::uint32_t i) const { return others_[otherRank(i)]; }
    /// To write to.
    Point& other(std::uint32_t i) { return others_[otherRank(i)]; }
    /// The first point at an event that is as it should be, not of a team. There is one.
    template <class IsIt>
    std::uint32_t find(std::uint64_t event, IsIt&& isIt) const;

  private:
    friend class PointListBuilder;

    static constexpr std::uint32_t kBlock = 32;

    /// `kBlock` points: of what kind they are, where they stand, and what small ones are relative to.
    struct Block {
        std::uint32_t ofTeams = 0;    ///< a bit each
        std::uint32_t waits = 0;      ///< a bit for each at which the location waits
        std::uint32_t waitedFor = 0;  ///< a bit for each at which others of a team wait for it
        std::uint32_t others = 0;     ///< that are not of teams, before the block
        std::uint32_t slice = 0;
        std::uint32_t meeting = 0;
        std::uint32_t begin : 31 = 0;  ///< of its points of teams
        std::uint32_t isSmall : 1 = 1;
    };
    struct SmallPoint {
        std::uint32_t wait;
        std::int32_t before;
        std::uint16_t pathAndFork;  ///< twice the path, and 1 for a fork
        std::uint8_t slice;
        std::int8_t meeting;
    };
    /// A barrier with points of other teams between it and its own team's last point.
    struct Outer {
        std::uint32_t point;
        std::uint32_t from;
    };
    /// A barrier at which tasks ran before the thread waited.
    struct Busy {
        std::uint32_t point;
        Ticks tasks;
    };
    static bool isSmall(const Point& point, const Block& block);
    static SmallPoint small(const Point& point, const Block& block);

    static std::uint32_t bit(std::uint32_t i) { return std::uint32_t{1} << i % kBlock; }
    /// As `std::popcount`, which calls a function where the processor need not have an instruction for it.
    static std::uint32_t bitsIn(std::uint32_t word) {
        word -= word >> 1U & 0x55555555U;
        word = (word & 0x33333333U) + (word >> 2U & 0x33333333U);
        return ((word + (word >> 4U)) & 0x0F0F0F0FU) * 0x01010101U >> 24U;
    }
    /// How many points of teams stand before a point in its block.
    static std::uint32_t teamRank(const Block& block, std::uint32_t i) {
        return bitsIn(block.ofTeams & (bit(i) - 1));
    }
    /// Gives a point to the one of two functions that can read it.
    template <class OfSmall, class OfWhole>
    auto read(std::uint32_t i, OfSmall&& ofSmall, OfWhole&& ofWhole) const {
        const Block& block = blocks_[i / kBlock];
        const std::uint32_t rank = teamRank(block, i);
        if ((block.ofTeams & bit(i)) == 0) return ofWhole(others_[block.others + i % kBlock - rank]);
        if (block.isSmall == 0) return ofWhole(large_[block.begin + rank]);
        return ofSmall(block, small_[block.begin + rank]);
    }
    /// The first point in `begin` ≤ i < `end` that has its bit; `end` when there is none.
    std::uint32_t next(std::uint32_t Block::*bits, std::uint32_t begin, std::uint32_t end) const;
    /// The last one; `kNone` when there is none.
    std::uint32_t last(std::uint32_t Block::*bits, std::uint32_t begin, std::uint32_t end) const;
    std::uint32_t fromOfTeam(std::uint32_t i) const {
        const bool isBehind = i % kBlock != 0 && isOfTeam(i - 1);
        return isBehind && outer_.empty() ? i - 1 : searchFrom(i);
    }
    std::uint32_t searchFrom(std::uint32_t i) const;

    std::uint32_t size_ = 0;
    Records<Block> blocks_;
    Records<Point> others_;
    Records<SmallPoint> small_;
    Records<Point> large_;
    Records<Outer> outer_;  ///< in the order of points
    Records<Busy> busy_;    ///< in the order of points
};

inline Kind PointList::kind(std::uint32_t i) const {
    return read(
        i,
        [](const Block&, const SmallPoint& point) {
            return point.pathAndFork % 2 != 0 ? Kind::Fork : Kind::OmpBarrier;
        },
        [](const Point& point) { return point.kind; });
}
inline Ticks PointList::wait(std::uint32_t i) const {
    return read(
        i, [](const Block&, const SmallPoint& point) { return Ticks{point.wait}; },
        [](const Point& point) { return point.wait; });
}
inline Ticks PointList::before(std::uint32_t i) const {
    return read(
        i, [](const Block&, const SmallPoint& point) { return Ticks{point.before}; },
        [](const Point& point) { return point.before; });
}
inline std::uint32_t PointList::slice(std::uint32_t i) const {
    return read(
        i, [](const Block& block, const SmallPoint& point) { return block.slice + point.slice; },
        [](const Point& point) { return point.slice; });
}
inline std::uint32_t PointList::path(std::uint32_t i) const {
    return read(
        i, [](const Block&, const SmallPoint& point) { return std::uint32_t{point.pathAndFork} / 2; },
        [](const Point& point) { return point.path; });
}
inline PointList::Start PointList::start(std::uint32_t i) const {
    return read(
        i,
        [](const Block& block, const SmallPoint& point) {
            return Start{block.slice + point.slice, std::uint32_t{point.pathAndFork} / 2,
                         Ticks{point.before}};
        },
        [](const Point& point) {
            return Start{point.slice, point.path, point.before};
        });
}
inline std::uint32_t PointList::meeting(std::uint32_t i) const {
    return read(
        i,
        [](const Block& block, const SmallPoint& point) {
            return block.meeting + static_cast<std::uint32_t>(point.meeting);
        },
        [](const Point& point) { return point.meeting; });
}

template <class Visit>
void PointList::visitWaits(std::uint32_t begin, std::uint32_t end, Visit&& visit) const {
    for (std::uint32_t i = begin; i < end; i = (i / kBlock + 1) * kBlock) {
        const std::uint32_t first = i / kBlock * kBlock;
        std::uint32_t left = blocks_[i / kBlock].waits & ~(bit(i) - 1);
        if (end - first < kBlock) left &= bit(end) - 1;
        for (; left != 0; left &= left - 1) {
            const std::uint32_t waiting = first + static_cast<std::uint32_t>(std::countr_zero(left));
            read(
                waiting,
                [&](const Block&, const SmallPoint& point) {
                    visit(waiting, Ticks{point.wait}, std::uint32_t{point.pathAndFork} / 2);
                },
                [&](const Point& point) { visit(waiting, point.wait, point.path); });
        }
    }
}

template <class Visit>
void PointList::visitMeetings(Visit&& visit) const {
    for (std::uint32_t begin = 0; begin < size_; begin += kBlock) {
        const Block& block = blocks_[begin / kBlock];
        const Point* other = others_.data() + block.others;
        std::size_t ofTeam = block.begin;
        const std::uint32_t end = std::min(size_, begin + kBlock);
        for (std::uint32_t i = begin; i < end; ++i) {
            std::uint32_t meeting = 0;
            if ((block.ofTeams & bit(i)) == 0)
                meeting = (other++)->meeting;
            else if (block.isSmall == 0)
                meeting = large_[ofTeam++].meeting;
            else
                meeting = block.meeting + static_cast<std::uint32_t>(small_[ofTeam++].meeting);
            if (meeting != kNone) visit(i, meeting);
        }
    }
}

/// Puts points of teams, in the order of their events, between the others.
class PointListBuilder {
  public:
    /// `others`: those that are not of teams, in the order of their events.
    /// `ofTeams`: how many of teams will be appended.
    PointListBuilder(Records<Point> others, std::size_t ofTeams, Memory memory) : list_(memory) {
        list_.others_ = std::move(others);
        list_.small_.reserve(ofTeams);
        list_.blocks_.reserve((list_.others_.size() + ofTeams) / PointList::kBlock + 1);
    }

    /// Adds to a list that has no points of teams yet.
    PointListBuilder(PointList list, std::size_t ofTeams, Memory memory)
        : PointListBuilder(std::move(list.others_), ofTeams, memory) {}

    /// Behind the others up to its event. `team`: its communicator; `tasks`: how long it ran tasks before it
    /// waited.
    void append(const Point& ofTeam, std::uint32_t team, Ticks tasks = 0);
    PointList take();

  private:
    void placeOther();
    /// The bit of the next point, which is in the last block.
    std::uint32_t place();
    void endBlock();
    std::uint32_t& lastOf(std::uint32_t team);

    PointList list_;
    std::uint32_t othersPlaced_ = 0;
    std::vector<Point> ofTeams_;                                        ///< those of the last block
    std::unordered_map<std::uint32_t, std::uint32_t> lastOfTeams_;      ///< by team
    std::pair<std::uint32_t, std::uint32_t*> current_{kNone, nullptr};  ///< a team and its last point
    std::uint32_t last_ = kNone;                                        ///< of any team
};

template <class IsIt>
std::uint32_t PointList::find(std::uint64_t event, IsIt&& isIt) const {
    auto at = std::lower_bound(others_.begin(), others_.end(), event,
                               [](const Point& point, std::uint64_t e) { return point.event < e; });
    while (!isIt(*at)) ++at;
    return positionOfOther(static_cast<std::uint32_t>(at - others_.begin()));
}

}  // namespace holos::analyzer::causes
