// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/idle_threads.h"

#include <algorithm>
#include <limits>

namespace holos::analyzer::causes {

namespace {

std::uint32_t otherThreads(const trace::Definitions& definitions, const trace::Process& process) {
    std::uint32_t others = 0;
    for (std::size_t i = 1; i < process.threads.size(); ++i)
        if (definitions[process.threads[i]].kind == trace::Location::Kind::Thread) ++others;
    return others;
}

/// The outermost teams of a master: when it forked and when they were over.
struct Episode {
    std::uint32_t stay;  ///< which of the master's stays
    std::uint32_t joinSlice;
};

std::vector<Episode> outermostTeams(const replay::ThreadRecords& threads) {
    std::vector<Episode> episodes;
    Ticks end = std::numeric_limits<Ticks>::min();
    auto stay = threads.parallels.begin();  // forks and stays are both in the order of time
    std::uint32_t number = 0;
    for (const replay::Fork& fork : threads.forks) {
        if (fork.fork < end || !fork.isJoined()) continue;
        end = fork.join;
        const auto isBefore = [&](const replay::ParallelRecord& other) {
            return other.enter < fork.fork || (other.enter <= fork.join && other.team != fork.team);
        };
        for (; stay != threads.parallels.end() && isBefore(*stay); ++stay) ++number;
        if (stay != threads.parallels.end() && stay->team == fork.team)
            episodes.push_back({number, fork.joinSlice});
    }
    return episodes;
}

}  // namespace

void findIdleThreads(const replay::ReplayedTrace& trace, const Points& points, std::uint32_t location,
                     LocationBlames& blames) {
    const auto& process = trace.definitions[trace.definitions.locations[location].process];
    blames.idleThreads = otherThreads(trace.definitions, process);
    if (blames.idleThreads == 0 || process.threads[0] != trace::LocationId(location)) return;
    const PointList& list = points.byLocation[location];
    const std::vector<Episode> episodes = outermostTeams(trace.locations[location].threads);
    std::uint32_t firstSlice = 0;
    std::uint32_t stays = 0;  // each has the point of its fork
    auto next = episodes.begin();
    for (std::uint32_t i = 0; i < list.size() && next != episodes.end(); ++i) {
        if (!list.isFork(i) || stays++ != next->stay) continue;
        blames.serial.push_back({i, firstSlice});
        firstSlice = next->joinSlice;
        ++next;
    }
    blames.serial.push_back({list.size(), firstSlice});
}

}  // namespace holos::analyzer::causes
