// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/predict/graph_builder.h"

#include "analyzer/predict/merge_runs.h"

namespace holos::analyzer::predict {

GraphBuilder::GraphBuilder(const patterns::JudgedTrace& run, const replay::ReplayedCalls& calls,
                           const Network& network, workers::Workers& workers)
    : run_(run),
      calls_(calls),
      network_(network),
      workers_(workers),
      marks_(run.trace.locations.size()),
      local_(run.trace.locations.size()) {}

RunGraph GraphBuilder::build() {
    const trace::Definitions& definitions = run_.trace.definitions;
    workers_.forEach(marks_.size(), [&](std::size_t i) {
        const trace::LocationId location(i);
        const bool isFirst = definitions[definitions[location].process].threads.front() == location;
        marks_[i] = predict::marksOf(run_.trace[location], run_.waits[i], isFirst);
        makeRoom(i);
    });
    graph_.locations.resize(marks_.size());
    for (const trace::Process& process : definitions.processes)
        for (const trace::LocationId thread : process.threads)
            graph_.locations[thread.index()].startsByItself = thread == process.threads.front();

    surveyCollectives();
    learnHabits();
    arriveAtCollectives();
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
    workers_.forEach(marks_.size(),
                     [&](std::size_t i) { graph_.locations[i] = finish(static_cast<std::uint32_t>(i)); });
    for (const Local& local : local_) {
        graph_.omissions.contradicted += local.contradicted;
        graph_.omissions.unmatched += local.unmatched;
    }
    return std::move(graph_);
}

/// For what each stay in a team depends on, and each barrier: most of what there is where there is much.
void GraphBuilder::makeRoom(std::size_t location) {
    const replay::ThreadRecords& threads = run_.trace.locations[location].threads;
    const std::size_t some = threads.parallels.size() + threads.barriers.size();
    local_[location].waiting.reserve(some);
    local_[location].arrivals.reserve(some);
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
    Dependency dependency{.location = on.location, .position = on.mark, .kind = how.kind};
    if (how.travel.lag != 0 || how.travel.bytes != 0) {
        dependency.travel = static_cast<std::uint32_t>(local.travels.size());
        local.travels.push_back(how.travel);
    }
    local.waiting.push_back({mark, dependency});
}

void GraphBuilder::dependOnMeeting(std::uint32_t location, std::uint32_t mark, std::uint32_t meeting) {
    if (mark == kNone || meeting == kNone) return;
    Local& local = local_[location];
    if (graph_.meetings[meeting].last > timeOf({location, mark})) {
        ++local.contradicted;
        return;
    }
    local.waiting.push_back({mark, {.position = meeting, .kind = Dependency::Kind::Meeting}});
}

void GraphBuilder::arrive(std::uint32_t meeting, Place at) {
    if (!at.isKnown()) return;
    const Mark& mark = marks_[at.location].marks[at.mark];
    Meeting& all = graph_.meetings[meeting];
    all.last = std::max(all.last, mark.time + marks_[at.location].tasks[at.mark]);
    ++all.arrivals;
    local_[at.location].arrivals.push_back({at.mark, meeting});
}

std::uint32_t GraphBuilder::newMeeting() {
    graph_.meetings.emplace_back();
    return static_cast<std::uint32_t>(graph_.meetings.size() - 1);
}

/// Dependencies and arrivals in the order of marks.
LocationGraph GraphBuilder::finish(std::uint32_t location) {
    Local& local = local_[location];
    LocationGraph result;
    result.startsByItself = graph_.locations[location].startsByItself;
    result.marks = std::move(marks_[location].marks);
    result.tasks = std::move(marks_[location].tasks);
    marks_[location].of = {};
    const auto byMark = [](const auto& a, const auto& b) { return a.mark < b.mark; };
    mergeRuns(local.waiting, byMark);
    mergeRuns(local.arrivals, byMark);
    mergeRuns(local.exchanges, byMark);
    result.dependencies.reserve(local.waiting.size());
    result.arrivals.reserve(local.arrivals.size());
    auto waiting = local.waiting.begin();
    auto arrival = local.arrivals.begin();
    for (std::uint32_t i = 0; i < result.marks.size(); ++i) {
        result.marks[i].dependencies = static_cast<std::uint32_t>(result.dependencies.size());
        result.marks[i].arrivals = static_cast<std::uint32_t>(result.arrivals.size());
        for (; waiting != local.waiting.end() && waiting->mark == i; ++waiting)
            result.dependencies.push_back(waiting->dependency);
        for (; arrival != local.arrivals.end() && arrival->mark == i; ++arrival)
            result.arrivals.push_back(arrival->meeting);
    }
    result.exchanges = std::move(local.exchanges);
    result.travels = std::move(local.travels);
    local.waiting = {};
    local.arrivals = {};
    return result;
}

}  // namespace holos::analyzer::predict
