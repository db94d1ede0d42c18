// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/clocks/logical_walk.h"

// The half of `Constraints` for collective operations.
#include <algorithm>

#include "analyzer/matching/epochs.h"

namespace holos::analyzer::clocks {
namespace {

using replay::ClockRole;

/// Groups of constraints that are not sends.
constexpr std::uint64_t kInit = 0;
constexpr std::uint64_t kFinalize = 1;
constexpr std::uint64_t kEpochs = 4;
constexpr std::uint64_t kTeams =
    Constraints::kOthers;  // one for the fork and the join of each team, one for barriers
std::uint64_t forksOf(std::uint32_t comm) {
    return kTeams + 2 * std::uint64_t{comm};
}
std::uint64_t barriersOf(std::uint32_t comm) {
    return forksOf(comm) + 1;
}

}  // namespace

Constraints::Constraints(const matching::MatchedTrace& run, const std::vector<ClockPoints>& points)
    : trace_(run.trace),
      matches_(run.matches),
      ranks_(run.trace.definitions),
      worlds_(run.trace.definitions),
      pointConstraints_(points.size()) {
    surveyCollectives();
    for (const replay::LocationTrace& location : trace_.locations) {
        firstSend_.push_back(static_cast<std::uint32_t>(constraints_.size()));
        constraints_.resize(constraints_.size() + location.messages.sends.size());
    }
    for (std::uint32_t location = 0; location < points.size(); ++location) {
        const TeamRecords teams(trace_.locations[location].threads);
        for (const ClockPoint& point : points[location].list) {
            const PointConstraint constraint = constraintOf(location, teams, point.part);
            if (constraint.place == Place::Before || constraint.place == Place::BeforeAndFree)
                ++constraints_[constraint.constraint].open;
            pointConstraints_[location].push_back(constraint);
        }
    }
}

Constraints::TeamRecords::TeamRecords(const replay::ThreadRecords& threads) {
    for (const replay::Fork& fork : threads.forks) forks.push_back(fork.team);
    for (const replay::BarrierRecord& barrier : threads.barriers)
        barriers.push_back({barrier.team, barrier.sequence});
}

std::uint32_t Constraints::grouped(ConstraintKind kind, std::uint64_t group, std::uint64_t number) {
    const auto [known, isNew] =
        groups_[group].try_emplace(number, static_cast<std::uint32_t>(constraints_.size()));
    if (isNew) constraints_.emplace_back().kind = kind;
    return known->second;
}

PointConstraint Constraints::constraintOf(std::uint32_t location, const TeamRecords& teams,
                                          const replay::ClockEvent& event) {
    const auto fork = [&](Place place, std::uint32_t joins) -> PointConstraint {
        const replay::TeamKey team = event.record == kNone ? event.team : teams.forks[event.record];
        if (team.comm == kNone) return {};
        return {place, grouped(ConstraintKind::Threads, forksOf(team.comm),
                               2 * std::uint64_t{team.instance} + joins)};
    };
    const auto world = [&] { return worlds_.of(trace::LocationId(location)); };
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
            return {Place::Before, grouped(ConstraintKind::Collective, kInit, world())};
        case ClockRole::InitLeave:
            return {Place::After, grouped(ConstraintKind::Collective, kInit, world())};
        case ClockRole::FinalizeEnter:
            return {Place::Before, grouped(ConstraintKind::Collective, kFinalize, world())};
        case ClockRole::FinalizeLeave:
            return {Place::After, grouped(ConstraintKind::Collective, kFinalize, world())};
        case ClockRole::Fork:
            return fork(Place::Before, 0);
        case ClockRole::TeamBegin:
            return fork(Place::After, 0);
        case ClockRole::TeamEnd:
            return fork(Place::Before, 1);
        case ClockRole::Join:
            return fork(Place::After, 1);
        case ClockRole::BarrierEnter:
            return barrier(teams, event.record, Place::Before);
        case ClockRole::BarrierLeave:
            return barrier(teams, event.record, Place::After);
        case ClockRole::EpochBegin:
        case ClockRole::EpochEnd:
            if (event.record == kNone) return {};
            return {event.role == ClockRole::EpochBegin ? Place::Before : Place::After,
                    grouped(ConstraintKind::Message, kEpochs, event.record)};
    }
    return {};
}

PointConstraint Constraints::send(std::uint32_t location, std::uint32_t record) const {
    if (!matches_.messages.receiveOf[location][record].isKnown()) return {};
    return {Place::Before, firstSend_[location] + record};
}

PointConstraint Constraints::receive(std::uint32_t location, std::uint32_t record) const {
    const replay::RecordRef send = matches_.messages.sendOf[location][record];
    if (!send.isKnown()) return {};
    return {Place::After, firstSend_[send.location] + send.position};
}

PointConstraint Constraints::barrier(const TeamRecords& teams, std::uint32_t record, Place place) {
    if (record == kNone) return {};  // outside of a parallel region
    const TeamRecords::Barrier& known = teams.barriers[record];
    return {place, grouped(ConstraintKind::Threads, barriersOf(known.team.comm),
                           std::uint64_t{known.team.instance} << 32U | known.sequence)};
}

namespace {

using replay::Collective;
using replay::CollectiveRecord;
using trace::LocationId;

/// Who gives and who gets data in a collective operation.
enum class Flow : std::uint8_t { Unknown, AllToAll, FromRoot, ToRoot, Prefix, Exchange };

Flow flowOf(Collective operation) {
    switch (operation) {
        case Collective::Barrier:
        case Collective::Allgather:
        case Collective::Allgatherv:
        case Collective::Alltoall:
        case Collective::Allreduce:
        case Collective::ReduceScatter:
        case Collective::ReduceScatterBlock:
        case Collective::WinFree:
        case Collective::WinFence:
            return Flow::AllToAll;
        case Collective::Alltoallv:
        case Collective::Alltoallw:
            return Flow::Exchange;
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

/// No bytes are counted, and everybody waits for everybody.
bool isBarrier(Collective operation) {
    return operation == Collective::Barrier || operation == Collective::WinFree ||
           operation == Collective::WinFence;
}

/// Groups of constraints.
constexpr std::uint64_t kOperations = 2;
constexpr std::uint64_t kExchanges = 3;

}  // namespace

void Constraints::surveyCollectives() {
    closingFences_ = matching::fencesAfterAccess(trace_, matches_.collectives);
    for (std::uint32_t location = 0; location < trace_.locations.size(); ++location) {
        const auto& instances = matches_.collectives.instanceOf[location];
        for (std::size_t i = 0; i < instances.size(); ++i) {
            const Part part{trace_.locations[location].messages.collectives[i], instances[i]};
            if (part.instance == kNone || flowOf(part.record.operation) != Flow::Exchange) continue;
            const bool isFirst = isFirstGroup(part.record);
            exchanges_[flowNumber(part, isFirst, true)].sent += part.record.sent;
            if (part.record.received > 0)
                exchanges_[flowNumber(part, isFirst, false)].received.push_back(part.record.received);
        }
    }
    for (auto& [number, exchange] : exchanges_) {
        std::ranges::sort(exchange.received);
        exchange.received.erase(std::unique(exchange.received.begin(), exchange.received.end()),
                                exchange.received.end());
    }
}

bool Constraints::isFirstGroup(const CollectiveRecord& record) {
    const trace::Comm& comm = trace_.definitions.comms[record.comm];
    return ranks_.of(record.comm, LocationId(record.location)) < comm.members.size();
}

/// Between two groups, data go both ways.
std::uint64_t Constraints::flowNumber(const Part& part, bool isFirst, bool begins) const {
    const bool isInter = trace_.definitions.comms[part.record.comm].isInter();
    return 2 * std::uint64_t{part.instance} + (isInter && isFirst != begins ? 1 : 0);
}

PointConstraint Constraints::collective(std::uint32_t location, std::uint32_t record, bool begins) {
    if (record == kNone) return {};
    const CollectiveRecord& known = trace_.locations[location].messages.collectives[record];
    const Part part{known, matches_.collectives.instanceOf[location][record]};
    if (part.instance == kNone) return {};
    const Flow flow = flowOf(known.operation);
    if (flow == Flow::Unknown) return {};
    if (known.operation == Collective::WinFence && !closingFences_.contains(part.instance)) return {};
    if (!isBarrier(known.operation) && (begins ? known.sent : known.received) == 0) return {};
    if (flow == Flow::Prefix) return scan(part, begins);
    if (flow == Flow::Exchange) return exchange(part, isFirstGroup(known), begins);
    return trace_.definitions.comms[known.comm].isInter() ? betweenGroups(part, isFirstGroup(known), begins)
                                                          : withinGroup(part, begins);
}

PointConstraint Constraints::withinGroup(const Part& part, bool begins) {
    const CollectiveRecord& record = part.record;
    const Flow flow = flowOf(record.operation);
    Place place = begins ? Place::Before : Place::After;
    const bool isRoot =
        flow != Flow::AllToAll && ranks_.of(record.comm, LocationId(record.location)) == record.root;
    if (flow == Flow::FromRoot && isRoot != begins) return {};
    if (flow == Flow::ToRoot && !begins && !isRoot) return {};
    if (flow == Flow::ToRoot && begins && isRoot) place = Place::BeforeAndFree;
    return {place, grouped(ConstraintKind::Collective, kOperations, flowNumber(part, true, true))};
}

/// Who gets data waits for the other group only.
PointConstraint Constraints::betweenGroups(const Part& part, bool isFirst, bool begins) {
    const Flow flow = flowOf(part.record.operation);
    const bool isRoot = part.record.root == replay::kRootSelf;
    if (flow == Flow::FromRoot && isRoot != begins) return {};
    if (flow == Flow::ToRoot && isRoot == begins) return {};
    return {begins ? Place::Before : Place::After,
            grouped(ConstraintKind::Collective, kOperations, flowNumber(part, isFirst, begins))};
}

/// A row of constraints: all that is before one of them is before those behind it, too. Returns the first.
std::uint32_t Constraints::chain(std::uint64_t group, std::uint64_t number, std::size_t length) {
    const auto before = static_cast<std::uint32_t>(constraints_.size());
    const std::uint32_t first = grouped(ConstraintKind::Collective, group, number);
    if (first != before) return first;
    for (std::uint32_t i = 1; i < length; ++i) {
        constraints_.emplace_back().kind = ConstraintKind::Collective;
        constraints_[first + i - 1].next = first + i;
        constraints_[first + i].open = 1;
    }
    return first;
}

/// A constraint for each rank.
PointConstraint Constraints::scan(const Part& part, bool begins) {
    const CollectiveRecord& record = part.record;
    const std::size_t ranks = trace_.definitions.comms[record.comm].members.size();
    const std::size_t rank = ranks_.of(record.comm, LocationId(record.location));
    return {begins ? Place::Before : Place::After,
            chain(kOperations, flowNumber(part, true, true), ranks) + static_cast<std::uint32_t>(rank)};
}

/// A rank needs all those without which there are fewer bytes than it receives. A constraint for each amount
/// that is received: who is needed for one is needed for more.
PointConstraint Constraints::exchange(const Part& part, bool isFirst, bool begins) {
    const CollectiveRecord& record = part.record;
    const std::uint64_t number = flowNumber(part, isFirst, begins);
    const auto& [sent, received] = exchanges_.at(number);
    const auto amount = begins ? std::ranges::upper_bound(received, sent - record.sent)
                               : std::ranges::lower_bound(received, record.received);
    if (amount == received.end()) return {};
    return {begins ? Place::Before : Place::After, chain(kExchanges, number, received.size()) +
                                                       static_cast<std::uint32_t>(amount - received.begin())};
}

namespace {

//
//   recorded    rank 0 ────────── Send ──            rank 1 comes 2 too early to its receive, with a least
//               rank 1 ──── Recv ───── x             time of 1 it jumps by 3; x is moved, too, but less
//
//   corrected   rank 0 ────────── Send ──
//               rank 1 ─────────────── Recv ──── x
//
class Walk {
  public:
    Walk(const std::vector<ClockPoints>& points, Constraints& constraints, const LeastTimes& leastTimes)
        : points_(points),
          constraints_(constraints),
          leastTimes_(leastTimes),
          clocks_(points.size(), kNever),
          sleepsAt_(points.size(), kNone) {
        result_.times.resize(points.size());
        result_.jumps.resize(points.size());
    }

    LogicalTimes run() {
        openChains();
        for (auto location = static_cast<std::uint32_t>(points_.size()); location-- > 0;)
            ready_.push_back(location);
        for (std::uint32_t stuck = 0;;) {
            while (!ready_.empty()) {
                const std::uint32_t location = ready_.back();
                ready_.pop_back();
                go(location, false);
            }
            // Only in traces that contradict themselves do locations wait for each other in a circle.
            while (stuck < points_.size() && sleepsAt_[stuck] == kNone) ++stuck;
            if (stuck == points_.size()) break;
            std::erase(sleepers_.at(sleepsAt_[stuck]), stuck);
            sleepsAt_[stuck] = kNone;
            go(stuck, true);
            stuck = 0;
        }
        shareEarliest();
        return std::move(result_);
    }

  private:
    /// From point to point until one has to wait. `forced`: the first one does not.
    void go(std::uint32_t location, bool forced) {
        auto& times = result_.times[location];
        while (times.size() < points_[location].list.size()) {
            const PointConstraint constraint = constraints_.of(location, times.size());
            if (constraint.place == Place::After && constraints_[constraint.constraint].open != 0 &&
                !forced) {
                sleepsAt_[location] = constraint.constraint;
                sleepers_[constraint.constraint].push_back(location);
                return;
            }
            const ClockPoint& point = points_[location].list[times.size()];
            Ticks& clock = clocks_[location];
            clock = std::max(clock + point.rise, point.floor);
            if (constraint.place == Place::After && !forced)
                clock = follow(location, point, constraints_.all()[constraint.constraint], clock);
            forced = false;
            times.push_back(clock);
            if (constraint.place == Place::Before || constraint.place == Place::BeforeAndFree)
                arrive(constraint.constraint, clock);
        }
    }

    Ticks follow(std::uint32_t location, const ClockPoint& point, Constraint& constraint, Ticks clock) {
        if (constraint.latest != kNever) {
            const Ticks least = constraint.latest + leastTimes_.of(constraint.kind);
            if (least > clock) {
                result_.jumps[location].push_back(
                    {point.event, result_.times[location].size(), point.recorded, clock, least});
                clock = least;
            }
        }
        constraint.earliest = std::min(constraint.earliest, clock);
        return clock;
    }

    void arrive(std::uint32_t index, Ticks time) {
        while (index != kNone) {
            Constraint& constraint = constraints_.all()[index];
            constraint.latest = std::max(constraint.latest, time);
            if (--constraint.open != 0) return;
            wake(index);
            time = constraint.latest;
            index = constraint.next;
        }
    }

    void wake(std::uint32_t constraint) {
        const auto found = sleepers_.find(constraint);
        if (found == sleepers_.end()) return;
        for (const std::uint32_t location : found->second) {
            sleepsAt_[location] = kNone;
            ready_.push_back(location);
        }
        sleepers_.erase(found);
    }

    /// Chains of constraints whose first one has nobody before it.
    void openChains() {
        std::vector<std::uint32_t> seconds;
        for (const Constraint& constraint : constraints_.all())
            if (constraint.open == 0 && constraint.next != kNone) seconds.push_back(constraint.next);
        for (const std::uint32_t second : seconds) arrive(second, kNever);
    }

    void shareEarliest() {
        auto& constraints = constraints_.all();
        for (std::size_t i = constraints.size(); i-- > 0;)
            if (constraints[i].next != kNone)
                constraints[i].earliest =
                    std::min(constraints[i].earliest, constraints[constraints[i].next].earliest);
    }

    const std::vector<ClockPoints>& points_;
    Constraints& constraints_;
    const LeastTimes& leastTimes_;
    std::vector<Ticks> clocks_;
    std::vector<std::uint32_t> sleepsAt_;  ///< by location: the constraint that it waits for
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> sleepers_;  ///< by constraint
    std::vector<std::uint32_t> ready_;
    LogicalTimes result_;
};

}  // namespace

LogicalTimes walkForward(const std::vector<ClockPoints>& points, Constraints& constraints,
                         const LeastTimes& leastTimes) {
    return Walk(points, constraints, leastTimes).run();
}

}  // namespace holos::analyzer::clocks
