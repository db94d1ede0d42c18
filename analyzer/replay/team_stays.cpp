// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/team_stays.h"

namespace holos::analyzer::replay {

bool TeamStays::isBesideRegionOfFork() const {
    if (!teams_.isInFork()) return false;
    const NodeId here = stack_.current();
    return stack_.tree().common(teams_.innermostFork().parent, here) == here;
}

void TeamStays::backToFork() {
    if (isBesideRegionOfFork()) stack_.goTo(teams_.innermostFork().parent);
}

TeamKey TeamStays::begin(std::uint64_t event, Ticks time, std::uint32_t comm, trace::SiteId site) {
    TeamRecorder::Stay stay;
    stay.team = {comm, teams_.nextInstance(comm)};
    stay.base = stack_.base();
    stay.depth = stack_.depth();
    if (teams_.forkPending()) {
        stay.asMaster = true;
        teams_.nameFork(stay.team);
        stay.origin = Origin{self_, teams_.innermostFork().parent, site};
        context_.board.announce(comm, *stay.origin, teams_.innermostFork().fork);
    } else {
        stay.origin = context_.board.origin(comm, stay.team.instance, self_);
        if (!stay.origin)
            log_.add(Trouble::UnmatchedThreads,
                     "a team began that nobody forked; its regions stand below the program", event, time);
        stack_.push(stay.origin ? stack_.tree().adopt(*stay.origin) : kOutside);
    }
    if (tasks_.isRunning()) {
        stay.isInTask = true;
        tasks_.beginTeam();
    }
    teams_.push(stay);
    stack_.setBase(stack_.depth());
    stack_.goToTop();
    return stay.team;
}

TeamKey TeamStays::end() {
    const TeamRecorder::Stay stay = teams_.stay();
    teams_.pop();
    stack_.setBase(stay.base);
    if (stay.isInTask) tasks_.endTeam();
    stack_.dropTo(stay.depth);
    return stay.team;
}

std::optional<NodeId> TeamStays::shareOf(RegionId region) {
    const bool isShare = teams_.parallelPending() && !teams_.stay().asMaster &&
                         context_.classes[region.index()].special == trace::Special::Parallel;
    if (!isShare) return std::nullopt;
    const std::optional<Origin>& origin = teams_.stay().origin;
    return stack_.child(stack_.current(), region, origin ? origin->site : trace::kNoSite);
}

void TeamStays::beginThread() {
    if (stack_.depth() != 0) return;
    stack_.push(stack_.child(kProgram, trace::kThreadsRegion));
    stack_.setBase(1);
}

void TeamStays::finish() {
    if (const auto parent = teams_.cutFork()) context_.board.announceCut({self_, *parent});
    context_.board.finish(self_);
}

}  // namespace holos::analyzer::replay
