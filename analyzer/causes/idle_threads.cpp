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

/// Calls `visit` for each outermost team of a master, with the number of the master's stay in it, and the
/// slice that begins with its join.
template <class Visit>
void visitOutermostTeams(const replay::ThreadRecords& threads, Visit&& visit) {
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
        if (stay != threads.parallels.end() && stay->team == fork.team) visit(number, fork.joinSlice);
    }
}

}  // namespace

void findIdleThreads(const replay::ReplayedTrace& trace, const Points& points, std::uint32_t location,
                     LocationBlames& blames) {
    const auto& process = trace.definitions[trace.definitions.locations[location].process];
    blames.idleThreads = otherThreads(trace.definitions, process);
    if (blames.idleThreads == 0 || process.threads[0] != trace::LocationId(location)) return;
    const PointList& list = points.byLocation[location];
    std::uint32_t firstSlice = 0;
    std::uint32_t point = 0;
    std::uint32_t stays = 0;  // each has the point of its fork; so many before `point`
    visitOutermostTeams(trace.locations[location].threads, [&](std::uint32_t stay, std::uint32_t joinSlice) {
        while (point < list.size() && (!list.isFork(point) || stays++ != stay)) ++point;
        if (point == list.size()) return;
        blames.serial.push_back({point++, firstSlice});
        firstSlice = joinSlice;
    });
    blames.serial.push_back({list.size(), firstSlice});
}

}  // namespace holos::analyzer::causes
