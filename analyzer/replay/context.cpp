// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/context.h"

#include <algorithm>
#include <map>

#include "analyzer/trace/comm_members.h"

namespace holos::analyzer::replay {

std::vector<ClassTime> classTimes(const ByLocation<LocationCalls>& locations) {
    std::vector<ClassTime> times;
    for (const LocationCalls& location : locations)
        for (const Growths& growths : location.counters.growths)
            for (const Ticks end : growths.ends) times.push_back({growths.metricClass, end});
    return times;
}

ReadingTimes::ReadingTimes(const trace::Definitions& definitions, const std::vector<ClassTime>& times) {
    using Classes = std::vector<std::size_t>;
    std::vector<Classes> classesOf(definitions.locations.size());
    for (std::size_t i = 0; i < definitions.metricClasses.size(); ++i)
        for (const trace::LocationId location : definitions.metricClasses[i].readFor)
            classesOf[location.index()].push_back(i);
    std::map<Classes, std::uint32_t> numbers;
    std::vector<std::vector<std::uint32_t>> listsOf(definitions.metricClasses.size());  // by class
    for (const Classes& classes : classesOf) {
        const auto [entry, isNew] = numbers.try_emplace(classes, static_cast<std::uint32_t>(numbers.size()));
        listOf_.push_back(entry->second);
        if (!isNew) continue;
        for (const std::size_t metricClass : classes) listsOf[metricClass].push_back(entry->second);
    }
    lists_.resize(numbers.size());
    for (const ClassTime& read : times)
        for (const std::uint32_t list : listsOf[read.metricClass.index()]) lists_[list].push_back(read.time);
    for (std::vector<Ticks>& list : lists_) {
        std::ranges::sort(list);
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
}

std::span<const Ticks> ReadingTimes::of(trace::LocationId location) const {
    if (listOf_.empty()) return {};
    return lists_[listOf_[location.index()]];
}

namespace {

bool isThreadTeam(const trace::Comm& comm) {
    return comm.paradigm == trace::Paradigm::OpenMp && comm.members.size() > 1 && !comm.isInter();
}

}  // namespace

TeamBoard::TeamBoard(const trace::Definitions& definitions, const std::vector<trace::LocationId>& order)
    : keepsTimes_(definitions.attributeOfShortage.has_value()), position_(order.size()) {
    ledBy_.resize(order.size());
    for (const trace::Comm& comm : definitions.comms) {
        auto team = std::make_unique<Team>();
        if (!comm.members.empty() && trace::canBeTeam(comm, definitions)) {
            team->master = comm.members.front();
            ledBy_[team->master->index()].push_back(team.get());
        }
        teams_.push_back(std::move(team));
    }
    for (std::size_t i = 0; i < order.size(); ++i) position_[order[i].index()] = i;
}

void TeamBoard::announce(std::uint32_t comm, Origin origin, trace::Ticks forked) {
    Team& team = *teams_[comm];
    if (team.master != origin.location || isSettled_) return;
    {
        const std::lock_guard lock(team.mutex);
        team.origins.push_back(origin);
        if (keepsTimes_) team.forked.push_back(forked);
    }
    team.changed.notify_all();
}

void TeamBoard::announceCut(Origin origin) {
    if (isSettled_) return;
    for (Team* team : ledBy_[origin.location.index()]) {
        const std::lock_guard lock(team->mutex);
        team->cut = origin;
    }
}

void TeamBoard::finish(trace::LocationId location) {
    for (Team* team : ledBy_[location.index()]) {
        {
            const std::lock_guard lock(team->mutex);
            team->finished = true;
        }
        team->changed.notify_all();
    }
}

std::optional<Origin> TeamBoard::origin(std::uint32_t comm, std::uint32_t instance,
                                        trace::LocationId worker) {
    Team& team = *teams_[comm];
    // Only a master that was started earlier can be waited for; with a later one the answer must not depend
    // on luck.
    if (!team.master || position_[team.master->index()] >= position_[worker.index()]) return std::nullopt;
    std::unique_lock lock(team.mutex);
    team.changed.wait(lock, [&] { return team.finished || instance < team.origins.size(); });
    if (instance < team.origins.size()) return team.origins[instance];
    return instance == team.origins.size() ? team.cut : std::nullopt;
}

std::optional<trace::Ticks> TeamBoard::forkTime(std::uint32_t comm, std::uint32_t instance) {
    Team& team = *teams_[comm];
    const std::lock_guard lock(team.mutex);
    return instance < team.forked.size() ? std::optional(team.forked[instance]) : std::nullopt;
}

std::vector<trace::LocationId> replayOrder(const trace::Definitions& definitions) {
    const std::size_t count = definitions.locations.size();
    std::vector<std::vector<trace::LocationId>> mastersOf(count);
    for (const trace::Comm& comm : definitions.comms)
        if (isThreadTeam(comm))
            for (std::size_t i = 1; i < comm.members.size(); ++i)
                if (comm.members[i] != comm.members[0])
                    mastersOf[comm.members[i].index()].push_back(comm.members[0]);

    // Depth below the outermost master; a circle of masters ends the search after `count` rounds at the
    // latest.
    std::vector<std::size_t> level(count, 0);
    bool changed = true;
    for (std::size_t round = 0; changed && round < 64; ++round) {
        changed = false;
        for (std::size_t i = 0; i < count; ++i)
            for (const trace::LocationId master : mastersOf[i])
                if (level[i] <= level[master.index()]) {
                    level[i] = level[master.index()] + 1;
                    changed = true;
                }
    }
    std::vector<trace::LocationId> order;
    order.reserve(count);
    for (std::size_t i = 0; i < count; ++i) order.emplace_back(i);
    std::ranges::stable_sort(order, [&](auto a, auto b) { return level[a.index()] < level[b.index()]; });
    return order;
}

}  // namespace holos::analyzer::replay
