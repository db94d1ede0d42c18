// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/clocks/constraints.h"

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

}  // namespace holos::analyzer::clocks
