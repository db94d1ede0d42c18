// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analyzer/causes/point.h"
#include "analyzer/memory/records.h"

namespace holos::analyzer::causes {

/// One location's points in the order of its events. In runs of many short parallel regions nearly all are of
/// teams: those are kept small, in blocks relative to their first one. A block with a number that is too
/// large for that is kept as it is.
class PointList {
  public:
    explicit PointList(Memory memory)
        : groups_(memory), others_(memory), blocks_(memory), small_(memory), large_(memory), outer_(memory) {}

    std::uint32_t size() const { return size_; }
    /// Of points of teams, `event` is 0, and `from` is not there: see below.
    Point operator[](std::uint32_t i) const {
        return isOfTeam(i) ? ofTeam(teamRank(i)) : others_[otherRank(i)];
    }
    bool isOfTeam(std::uint32_t i) const {
        return hasTeams() && (groups_[i / kGroup].ofTeams >> i % kGroup & 1U) != 0;
    }
    bool hasTeams() const { return !blocks_.empty(); }
    bool isFork(std::uint32_t i) const { return isOfTeam(i) && ofTeam(teamRank(i)).kind == Kind::Fork; }
    /// Also while another worker writes `from` of these points, as `wait`.
    Kind kind(std::uint32_t i) const {
        return isOfTeam(i) ? ofTeam(teamRank(i)).kind : others_[otherRank(i)].kind;
    }
    Ticks wait(std::uint32_t i) const {
        if (!isOfTeam(i)) return others_[otherRank(i)].wait;
        const std::uint32_t rank = teamRank(i);
        const Block& block = blocks_[rank / kBlock];
        return block.isSmall ? small_[block.begin + rank % kBlock].wait
                             : large_[block.begin + rank % kBlock].wait;
    }
    /// Of a wait: the last point common with the causer. Of a barrier, that is its team's one before; of a
    /// fork, any team's.
    std::uint32_t from(std::uint32_t i) const {
        return isOfTeam(i) ? fromOfTeam(i) : others_[otherRank(i)].from;
    }
    /// The last point of a team before point `end`; `kNone` when there is none.
    std::uint32_t lastOfTeam(std::uint32_t end) const;

    /// To write to: not of a team.
    Point& other(std::uint32_t i) { return others_[otherRank(i)]; }
    /// The first point at an event that is as it should be, not of a team. There is one.
    template <class IsIt>
    std::uint32_t find(std::uint64_t event, IsIt&& isIt) const;

  private:
    friend class PointListBuilder;

    static constexpr std::uint32_t kGroup = 32;
    static constexpr std::uint32_t kBlock = 32;

    /// `kGroup` points: which of them are of teams.
    struct Group {
        std::uint32_t ofTeams = 0;
        std::uint32_t others = 0;  ///< before the group
    };
    /// `kBlock` points of teams: where they stand, and what small ones are relative to.
    struct Block {
        Ticks arrival = 0;
        std::uint32_t slice = 0;
        std::uint32_t meeting = 0;
        std::uint32_t begin = 0;
        bool isSmall = false;
    };
    struct SmallPoint {
        std::uint32_t wait;
        std::int32_t before;
        std::uint32_t arrival;
        std::uint16_t pathAndFork;  ///< twice the path, and 1 for a fork
        std::uint8_t slice;
        std::int8_t meeting;
    };
    /// A barrier with points of other teams between it and its own team's last point.
    struct Outer {
        std::uint32_t point;
        std::uint32_t from;
    };
    static bool isSmall(const Point& point, const Block& block);
    static SmallPoint small(const Point& point, const Block& block);

    /// As `std::popcount`, which calls a function where the processor need not have an instruction for it.
    static std::uint32_t bitsIn(std::uint32_t word) {
        word -= word >> 1U & 0x55555555U;
        word = (word & 0x33333333U) + (word >> 2U & 0x33333333U);
        return ((word + (word >> 4U)) & 0x0F0F0F0FU) * 0x01010101U >> 24U;
    }
    /// How many points that are not of teams stand before a point.
    std::uint32_t otherRank(std::uint32_t i) const {
        if (!hasTeams()) return i;
        return groups_[i / kGroup].others + i % kGroup - teamsInGroup(i);
    }
    std::uint32_t teamRank(std::uint32_t i) const {
        return i / kGroup * kGroup - groups_[i / kGroup].others + teamsInGroup(i);
    }
    std::uint32_t teamsInGroup(std::uint32_t i) const {
        const std::uint32_t before = (std::uint32_t{1} << i % kGroup) - 1;
        return bitsIn(groups_[i / kGroup].ofTeams & before);
    }
    Point ofTeam(std::uint32_t rank) const;
    std::uint32_t fromOfTeam(std::uint32_t i) const;
    std::uint32_t positionOfOther(std::uint32_t rank) const;

    std::uint32_t size_ = 0;
    Records<Group> groups_;
    Records<Point> others_;
    Records<Block> blocks_;
    Records<SmallPoint> small_;
    Records<Point> large_;
    Records<Outer> outer_;  ///< in the order of points
};

/// Puts points of teams, in the order of their events, between the others.
class PointListBuilder {
  public:
    /// `others`: those that are not of teams, in the order of their events.
    PointListBuilder(Records<Point> others, Memory memory) : list_(memory) {
        list_.others_ = std::move(others);
    }

    /// Behind the others up to its event. `team`: its communicator.
    void append(const Point& ofTeam, std::uint32_t team);
    PointList take();

  private:
    void place(bool ofTeam);
    void endBlock();

    PointList list_;
    std::uint32_t othersPlaced_ = 0;
    std::vector<Point> block_;                                      ///< the last points of teams
    std::unordered_map<std::uint32_t, std::uint32_t> lastOfTeams_;  ///< by team
    std::uint32_t last_ = kNone;                                    ///< of any team
};

template <class IsIt>
std::uint32_t PointList::find(std::uint64_t event, IsIt&& isIt) const {
    auto at = std::lower_bound(others_.begin(), others_.end(), event,
                               [](const Point& point, std::uint64_t e) { return point.event < e; });
    while (!isIt(*at)) ++at;
    return positionOfOther(static_cast<std::uint32_t>(at - others_.begin()));
}

}  // namespace holos::analyzer::causes
