// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/clocks/ties.h"

namespace holos::analyzer::clocks {

namespace {

using replay::ClockRole;
using replay::Collective;
using replay::CollectiveRecord;
using trace::LocationId;

/// Who gives and who gets data in a collective operation.
enum class Flow : std::uint8_t { Unknown, AllToAll, FromRoot, ToRoot, Prefix };

Flow flowOf(Collective operation) {
    switch (operation) {
        case Collective::Barrier:
        case Collective::Allgather:
        case Collective::Allgatherv:
        case Collective::Alltoall:
        case Collective::Allreduce:
        case Collective::ReduceScatter:
        case Collective::ReduceScatterBlock:
            return Flow::AllToAll;
        case Collective::Bcast:
        case Collective::Scatter:
        case Collective::Scatterv:
            return Flow::FromRoot;
        case Collective::Reduce:
        case Collective::Gather:
        case Collective::Gatherv:
            return Flow::ToRoot;
        case Collective::Scan:
        case Collective::Exscan:
            return Flow::Prefix;
        default:
            return Flow::Unknown;
    }
}

/// Groups of ties that are not sends.
constexpr std::uint64_t kCollectives = 0;
constexpr std::uint64_t kInit = 1;
constexpr std::uint64_t kFinalize = 2;
constexpr std::uint64_t kTeams = 3;  // one for the fork and the join of each team, one for its barriers
std::uint64_t forksOf(std::uint32_t comm) {
    return kTeams + 2 * std::uint64_t{comm};
}
std::uint64_t barriersOf(std::uint32_t comm) {
    return forksOf(comm) + 1;
}

}  // namespace

Ties::Ties(const replay::ReplayedTrace& trace, const std::vector<ClockPoints>& points)
    : trace_(trace), ranks_(trace.definitions), pointTies_(points.size()) {
    for (const replay::LocationTrace& location : trace.locations) {
        firstSend_.push_back(static_cast<std::uint32_t>(ties_.size()));
        ties_.resize(ties_.size() + location.messages.sends.size());
    }
    for (std::uint32_t location = 0; location < points.size(); ++location)
        for (const ClockPoint& point : points[location].list) {
            const PointTie tie = tieOf(location, point.part);
            if (tie.place == Place::Before || tie.place == Place::BeforeAndFree) ++ties_[tie.tie].open;
            pointTies_[location].push_back(tie);
        }
}

std::uint32_t Ties::grouped(TieKind kind, std::uint64_t group, std::uint64_t number) {
    const auto [known, isNew] = groups_[group].try_emplace(number, static_cast<std::uint32_t>(ties_.size()));
    if (isNew) ties_.emplace_back().kind = kind;
    return known->second;
}

PointTie Ties::tieOf(std::uint32_t location, const replay::ClockEvent& event) {
    const auto& threads = trace_.locations[location].threads;
    const auto fork = [&](Place place, std::uint32_t joins) -> PointTie {
        const replay::TeamKey team = event.record == kNone ? event.team : threads.forks[event.record].team;
        if (team.comm == kNone) return {};
        return {place,
                grouped(TieKind::Threads, forksOf(team.comm), 2 * std::uint64_t{team.instance} + joins)};
    };
    switch (event.role) {
        case ClockRole::Send:
            return send(location, event.record);
        case ClockRole::Receive:
            return receive(location, event.record);
        case ClockRole::CollectiveBegin:
            return collective(location, event.record, true);
        case ClockRole::CollectiveEnd:
        case ClockRole::CollectiveComplete:
            return collective(location, event.record, false);
        case ClockRole::InitEnter:
            return {Place::Before, grouped(TieKind::Collective, kInit, 0)};
        case ClockRole::InitLeave:
            return {Place::After, grouped(TieKind::Collective, kInit, 0)};
        case ClockRole::FinalizeEnter:
            return {Place::Before, grouped(TieKind::Collective, kFinalize, 0)};
        case ClockRole::FinalizeLeave:
            return {Place::After, grouped(TieKind::Collective, kFinalize, 0)};
        case ClockRole::Fork:
            return fork(Place::Before, 0);
        case ClockRole::TeamBegin:
            return fork(Place::After, 0);
        case ClockRole::TeamEnd:
            return fork(Place::Before, 1);
        case ClockRole::Join:
            return fork(Place::After, 1);
        case ClockRole::BarrierEnter:
            return barrier(location, event.record, Place::Before);
        case ClockRole::BarrierLeave:
            return barrier(location, event.record, Place::After);
    }
    return {};
}

PointTie Ties::send(std::uint32_t location, std::uint32_t record) const {
    if (trace_.locations[location].messages.sends[record].matchIndex == kNone) return {};
    return {Place::Before, firstSend_[location] + record};
}

PointTie Ties::receive(std::uint32_t location, std::uint32_t record) const {
    const replay::Receive& receive = trace_.locations[location].messages.receives[record];
    if (receive.matchIndex == kNone) return {};
    return {Place::After, firstSend_[receive.matchLocation] + receive.matchIndex};
}

PointTie Ties::barrier(std::uint32_t location, std::uint32_t record, Place place) {
    if (record == kNone) return {};  // outside of a parallel region
    const replay::BarrierRecord& known = trace_.locations[location].threads.barriers[record];
    return {place, grouped(TieKind::Threads, barriersOf(known.team.comm),
                           std::uint64_t{known.team.instance} << 32U | known.sequence)};
}

PointTie Ties::collective(std::uint32_t location, std::uint32_t record, bool begins) {
    if (record == kNone) return {};
    const CollectiveRecord& known = trace_.locations[location].messages.collectives[record];
    if (known.instance == kNone || trace_.definitions.comms[known.comm].isInter()) return {};
    const Flow flow = flowOf(known.operation);
    if (flow == Flow::Unknown) return {};
    const bool isBarrier = known.operation == Collective::Barrier;
    if (!isBarrier && (begins ? known.sent : known.received) == 0) return {};
    if (flow == Flow::Prefix) return scan(known, location, begins);
    Place place = begins ? Place::Before : Place::After;
    const bool isRoot = flow != Flow::AllToAll && ranks_.of(known.comm, LocationId(location)) == known.root;
    if (flow == Flow::FromRoot && isRoot != begins) return {};
    if (flow == Flow::ToRoot && !begins && !isRoot) return {};
    if (flow == Flow::ToRoot && begins && isRoot) place = Place::BeforeAndFree;
    return {place, grouped(TieKind::Collective, kCollectives, known.instance)};
}

/// A tie for each rank: all that is before the one of a rank is before those of the ranks above, too.
PointTie Ties::scan(const CollectiveRecord& record, std::uint32_t location, bool begins) {
    const auto ranks = static_cast<std::uint32_t>(trace_.definitions.comms[record.comm].members.size());
    const auto before = static_cast<std::uint32_t>(ties_.size());
    const std::uint32_t first = grouped(TieKind::Collective, kCollectives, record.instance);
    if (first == before) {
        for (std::uint32_t rank = 1; rank < ranks; ++rank) {
            ties_.emplace_back().kind = TieKind::Collective;
            ties_[first + rank - 1].next = first + rank;
            ties_[first + rank].open = 1;
        }
    }
    const std::size_t rank = ranks_.of(record.comm, LocationId(location));
    return {begins ? Place::Before : Place::After, first + static_cast<std::uint32_t>(rank)};
}

}  // namespace holos::analyzer::clocks
