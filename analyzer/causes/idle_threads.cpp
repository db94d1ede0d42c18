// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/idle_threads.h"

#include <algorithm>
#include <limits>

#include "analyzer/trace/teams.h"

namespace holos::analyzer::causes {

namespace {

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

Crews::Crews(const replay::ReplayedTrace& trace)
    : definitions_(trace.definitions),
      isMade_(trace.locations.size(), 0),
      isReserved_(trace::membersOfTeams(trace.definitions)),
      ledBy_(trace.locations.size()) {
    for (std::size_t i = 0; i < trace.locations.size(); ++i) {
        const bool isSilent = trace.locations[i].begin == trace.locations[i].end;
        isReserved_[i] = isReserved_[i] != 0 || isSilent ? 1 : 0;
        for (const replay::ThreadStart& start : trace.locations[i].threads.starts)
            if (start.begins) isMade_[i] = 1;
    }
    for (const trace::Comm& comm : trace.definitions.comms)
        if (comm.paradigm == trace::Paradigm::OpenMp && !comm.members.empty())
            ledBy_[comm.members.front().index()].push_back(&comm);
}

std::uint32_t Crews::others(const trace::Process& process) const {
    std::uint32_t others = 0;
    bool isAnyMade = false;
    for (std::size_t i = 1; i < process.threads.size(); ++i) {
        const bool isThread = definitions_[process.threads[i]].kind == trace::Location::Kind::Thread;
        if (isThread && isReserved_[process.threads[i].index()] != 0) ++others;
        if (isMade_[process.threads[i].index()]) isAnyMade = true;
    }
    return isAnyMade ? followers(process.threads[0]) : others;
}

std::uint32_t Crews::followers(trace::LocationId master) const {
    std::vector<trace::LocationId> crew{master};
    for (std::size_t i = 0; i < crew.size(); ++i)
        for (const trace::Comm* team : ledBy_[crew[i].index()])
            for (const trace::LocationId member : team->members)
                if (!isMade_[member.index()] && std::ranges::find(crew, member) == crew.end())
                    crew.push_back(member);
    return static_cast<std::uint32_t>(crew.size() - 1);
}

void findIdleThreads(const replay::ReplayedTrace& trace, const Crews& crews, const Points& points,
                     std::uint32_t location, LocationBlames& blames) {
    const auto& process = trace.definitions[trace.definitions.locations[location].process];
    if (process.threads[0] != trace::LocationId(location)) return;
    blames.idleThreads = crews.others(process);
    if (blames.idleThreads == 0) return;
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
