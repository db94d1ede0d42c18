// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/idle_threads.h"

#include <algorithm>
#include <iterator>
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
    std::uint64_t event;
    std::uint32_t joinSlice;
};

std::vector<Episode> outermostTeams(const replay::ThreadRecords& threads) {
    std::vector<Episode> episodes;
    Ticks end = std::numeric_limits<Ticks>::min();
    auto search = threads.parallels.begin();  // forks and stays are both in the order of time
    for (const replay::Fork& fork : threads.forks) {
        if (fork.fork < end || !fork.isJoined()) continue;
        const auto stay = std::find_if(search, threads.parallels.end(),
                                       [&](const auto& parallel) { return parallel.team == fork.team; });
        if (stay == threads.parallels.end()) continue;
        search = std::next(stay);
        episodes.push_back({stay->event, fork.joinSlice});
        end = fork.join;
    }
    return episodes;
}

}  // namespace

void addIdleThreads(const replay::ReplayedTrace& trace, const Points& points, std::uint32_t location,
                    Records<Blame>& blames) {
    const auto& process = trace.definitions[trace.definitions.locations[location].process];
    const std::uint32_t others = otherThreads(trace.definitions, process);
    if (others == 0 || process.threads[0] != trace::LocationId(location)) return;
    const auto& list = points.byLocation[location];
    Blame serial;
    serial.kind = Kind::OmpIdle;
    serial.idleThreads = others;
    const auto before = [](const Blame& a, const Blame& b) { return a.point < b.point; };
    std::vector<Blame> idle;
    for (const Episode& episode : outermostTeams(trace.locations[location].threads)) {
        const auto fork =
            std::lower_bound(list.begin(), list.end(), episode.event,
                             [](const Point& point, std::uint64_t event) { return point.event < event; });
        serial.point = static_cast<std::uint32_t>(fork - list.begin());
        serial.from = fork->from;
        idle.push_back(serial);
        serial.firstSlice = episode.joinSlice;
    }
    serial.point = static_cast<std::uint32_t>(list.size());
    const auto lastOfTeam =
        std::find_if(list.rbegin(), list.rend(), [](const Point& point) { return point.isOmp(); });
    serial.from =
        lastOfTeam == list.rend() ? kNone : static_cast<std::uint32_t>(list.rend() - lastOfTeam - 1);
    idle.push_back(serial);
    const auto middle = static_cast<std::ptrdiff_t>(blames.size());
    blames.insert(blames.end(), idle.begin(), idle.end());
    std::inplace_merge(blames.begin(), blames.begin() + middle, blames.end(), before);
}

}  // namespace holos::analyzer::causes
