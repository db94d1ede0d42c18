// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/predict/graph_builder.h"

#include "analyzer/predict/graph_packing.h"

namespace holos::analyzer::predict {

GraphBuilder::GraphBuilder(const patterns::JudgedTrace& run, const replay::ReplayedCalls& calls,
                           const Network& network, workers::Workers& workers)
    : run_(run),
      calls_(calls),
      network_(network),
      workers_(workers),
      marks_(run.trace.locations.size()),
      awaited_(recordsByLocation<Ticks>(run.trace.locations.size(), heap())),
      local_(run.trace.locations.size()),
      memberOf_(run.trace.locations.size()) {}

/// Of its process, so that it starts by itself.
bool GraphBuilder::isFirst(std::size_t location) const {
    const trace::Definitions& definitions = run_.trace.definitions;
    const trace::LocationId id(location);
    return definitions[definitions[id].process].threads.front() == id;
}

RunGraph GraphBuilder::build(const std::function<void(std::size_t)>& forget) {
    workers_.forEach(marks_.size(), [&](std::size_t i) {
        marks_[i] = predict::marksOf(run_.trace.locations[i], run_.waits[i], isFirst(i));
    });
    surveyCollectives();
    arriveAtCollectives();
    surveyMembers();
    learnHabits();
    learnTrees();
    passOn();
    addStartups();
    addTeams();
    addThreads();
    workers_.forEach(marks_.size(), [&](std::size_t i) {
        const auto location = static_cast<std::uint32_t>(i);
        addMessages(location);
        addCollectives(location);
    });
    addLocks();
    addOneSided();
    numberAwaited();
    graph_.locations.resize(marks_.size());
    workers_.forEach(marks_.size(), [&](std::size_t i) {
        graph_.locations[i] = Packing(*this, static_cast<std::uint32_t>(i)).run();
        marks_[i] = {};
        forget(i);
    });
    for (const Local& local : local_) {
        graph_.dependencies += local.dependencies;
        graph_.omissions.contradicted += local.contradicted;
        graph_.omissions.inVain += local.inVain;
        graph_.omissions.unmatched += local.unmatched;
    }
    return std::move(graph_);
}

GraphBuilder::Place GraphBuilder::enterOf(std::uint32_t location, std::uint32_t call) const {
    if (location == kNone || call == kNone) return {};
    return {location, marksOf(location).callEnters[call]};
}

std::uint32_t GraphBuilder::leaveOf(std::uint32_t location, std::uint32_t call) const {
    return call == kNone ? kNone : marksOf(location).callLeaves[call];
}

void GraphBuilder::depend(std::uint32_t location, std::uint32_t mark, Place on, const How& how) {
    if (mark == kNone || !on.isKnown()) return;
    if (on.location == location && on.mark >= mark) return;
    Local& local = local_[location];
    if (timeOf(on) + how.travel.lag > timeOf({location, mark})) {
        ++local.contradicted;
        return;
    }
    std::uint32_t travel = kNone;
    if (how.travel.lag != 0 || how.travel.bytes != 0) {
        travel = static_cast<std::uint32_t>(local.travels.size());
        local.travels.push_back(how.travel);
    }
    local.waiting.push_back({mark, on.location, on.mark, travel, how.kind});
}

void GraphBuilder::dependOnMeeting(std::uint32_t location, std::uint32_t mark, std::uint32_t meeting) {
    if (mark == kNone || meeting == kNone) return;
    Local& local = local_[location];
    if (latest_[meeting] > timeOf({location, mark}))
        ++local.contradicted;
    else
        local.waiting.push_back({mark, kNone, meeting, kNone, Dependency::Kind::Meeting});
}

void GraphBuilder::arrive(std::uint32_t meeting, Place at) {
    if (!at.isKnown()) return;
    arriveAt(meeting, timeOf(at));
    local_[at.location].arrivals.push_back({at.mark, meeting});
}

void GraphBuilder::arriveAt(std::uint32_t meeting, Ticks time) {
    latest_[meeting] = std::max(latest_[meeting], time);
    ++graph_.meetings[meeting].arrivals;
}

std::uint32_t GraphBuilder::newMeeting() {
    graph_.meetings.emplace_back();
    latest_.push_back(std::numeric_limits<Ticks>::min());
    return static_cast<std::uint32_t>(graph_.meetings.size() - 1);
}

Dependency GraphBuilder::dependencyOf(std::uint32_t location, const Waiting& waiting) const {
    Dependency on;
    on.kind = waiting.kind;
    on.location = waiting.location;
    on.position = waiting.position;
    if (waiting.travel != kNone) on.travel = local_[location].travels[waiting.travel];
    const Ticks came =
        on.kind == Dependency::Kind::Meeting ? latest_[on.position] : awaited_[on.location][on.position];
    on.slack = timeOf({location, waiting.mark}) - came - on.travel.lag;
    return on;
}

/// What depends on kept marks knows them from now on by their number among the awaited ones.
void GraphBuilder::numberAwaited() {
    for (const Local& local : local_)
        for (const Waiting& waiting : local.waiting)
            if (waiting.kind != Dependency::Kind::Meeting)
                marks_[waiting.location].kept[waiting.position].isAwaited = true;
    for (std::size_t i = 0; i < marks_.size(); ++i)
        for (KeptMark& mark : marks_[i].kept) {
            if (!mark.isAwaited) continue;
            mark.number = static_cast<std::uint32_t>(awaited_[i].size());
            awaited_[i].push_back(mark.time);
        }
    for (Local& local : local_)
        for (Waiting& waiting : local.waiting)
            if (waiting.kind != Dependency::Kind::Meeting)
                waiting.position = marks_[waiting.location].kept[waiting.position].number;
    for (Team& each : teams_)
        if (each.fork.isKnown()) each.fork.mark = marks_[each.fork.location].kept[each.fork.mark].number;
}

}  // namespace holos::analyzer::predict
