// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/plan/trace_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

#include "tracing/recordings/archive/code_names/region_names.h"

namespace holos::archive {
namespace {

using tracing::LocationKind;

constexpr std::uint64_t kIndexShift = 32;

/// Numbers things in the order in which the ranks use them first, however the work of unifying them was
/// shared.
class FirstUse {
  public:
    explicit FirstUse(std::uint32_t things) : numbers_(things, kUnused) {}

    /// `make(thing)` is the number of a thing that was not used before.
    template <class Make>
    void number(NumberMap& map, Make make) {
        map.renumber([&](std::uint32_t thing) {
            if (numbers_[thing] == kUnused) numbers_[thing] = make(thing);
            return numbers_[thing];
        });
    }
    /// `NumberMap::kNone` where it was not used.
    std::uint32_t of(std::optional<std::uint32_t> thing) const {
        return thing && numbers_[*thing] != kUnused ? numbers_[*thing] : NumberMap::kNone;
    }

  private:
    static constexpr std::uint32_t kUnused = NumberMap::kNone - 2;
    std::vector<std::uint32_t> numbers_;
};

/// The number of what is appended.
template <class Things, class Thing>
std::uint32_t append(Things& things, Thing thing) {
    things.push_back(std::move(thing));
    return static_cast<std::uint32_t>(things.size() - 1);
}

/// The process's locations in the order of their numbers in the trace: master, threads of the outermost teams
/// by their number, then the others as they began.
std::vector<TraceLocation> planLocations(const RecordedProcess* process, std::uint32_t rank) {
    std::vector<TraceLocation> result{{rank, 0, "Master thread", false}};
    if (process == nullptr) return result;
    std::uint64_t next = 1;
    const auto isOuter = [](const RecordedLocation& l) {
        return l.kind == LocationKind::Place && l.level <= 1;
    };
    std::set<std::uint64_t> taken;
    for (const auto& [ref, location] : process->locations)
        if (isOuter(location)) next = std::max<std::uint64_t>(next, std::uint64_t{location.number} + 1);
    for (const auto& [ref, location] : process->locations) {
        if (location.kind == LocationKind::Main) {
            result.front().ref = ref;
            continue;
        }
        std::uint64_t index = isOuter(location) ? location.number : next++;
        if (!taken.insert(index).second) index = next++;  // the place of another master at the same level
        result.push_back(
            {rank | index << kIndexShift, ref, location.name, location.kind == LocationKind::Samples});
    }
    std::ranges::sort(result, [](const auto& a, const auto& b) { return a.id < b.id; });
    return result;
}

bool mayBeItsBody(const RecordedRegion& region) {
    return region.paradigm == tracing::Paradigm::OpenMp && !region.object.empty() &&
           (region.role == tracing::Role::Parallel || region.role == tracing::Role::Task);
}

class Planner {
  public:
    Planner(TracePlan& plan, const Definitions& all, const filter::Filter& filter)
        : plan_(plan), all_(all), filter_(filter) {}

    /// Programs are few, though processes may be many.
    void addProgram(TraceProcess& process) {
        auto& all = plan_.programs;
        const auto at = std::ranges::find(all, process.recorded->executable);
        process.program = static_cast<std::uint32_t>(at - all.begin());
        if (at == all.end()) all.push_back(process.recorded->executable);
    }

    void addRegions(TraceProcess& process) {
        regions_.number(process.regions, [this](std::uint32_t thing) {
            RecordedRegion region = all_.regions.key(thing);
            if (mayBeItsBody(region)) plan_.bodies.emplace(region.object, region.offset);
            resolve(region, symbols_);
            if (isFilteredOut(region)) return TracePlan::kFilteredOut;
            RegionKey key{region.name,
                          region.file,
                          region.beginLine,
                          region.endLine,
                          static_cast<int>(region.paradigm),
                          static_cast<int>(region.role)};
            const auto [known, isNew] =
                resolved_.try_emplace(std::move(key), static_cast<std::uint32_t>(plan_.regions.size()));
            if (isNew) plan_.regions.push_back(std::move(region));
            return known->second;
        });
    }

    void addCounters(TraceProcess& process) {
        const auto& own = process.recorded->counters;
        if (own.empty()) return;
        auto& all = plan_.counterSets;
        const auto at = std::ranges::find(all, own);
        process.counterSet = static_cast<std::uint32_t>(at - all.begin());
        if (at == all.end()) all.push_back(own);
    }

    /// A launcher need not say which processes share a node: its first process has its samples then.
    void addSampled(TraceProcess& process) {
        const auto samples =
            std::ranges::find_if(process.locations, [](const auto& location) { return location.isSamples; });
        const auto& all = process.recorded->sampled;
        if (samples == process.locations.end()) return;
        const auto ofNode = std::ranges::find_if(
            all, [](const auto& counter) { return counter.scope == counters::Scope::Node; });
        if (ofNode != all.begin()) addSampler(process, samples->id, {all.begin(), ofNode}, 0);
        if (ofNode != all.end() && sampledHosts_.insert(process.recorded->host).second)
            addSampler(process, samples->id, {ofNode, all.end()},
                       static_cast<std::size_t>(ofNode - all.begin()));
    }

    void addComms(TraceProcess& process) {
        comms_.number(process.comms, [this](std::uint32_t thing) {
            const Identity identity = all_.comms.key(thing);
            const CommFacts& facts = all_.comms.facts(thing);
            const auto kind = identity == kSelf ? TraceGroup::Kind::MpiSelf : TraceGroup::Kind::MpiWorld;
            const std::uint32_t number = append(
                plan_.comms, TraceComm{facts.name, {kind, membersOf(identity, facts)}, facts.remoteSize});
            if (isWorld(identity)) worlds_[identity.world] = number;
            if (facts.remoteSize != 0 && facts.worlds.empty()) plan_.comms[number].common = worldOf(identity);
            if (plan_.comms[number].group.members.empty() && identity != kSelf)
                incomplete_[number].size = std::min<std::size_t>(facts.size, plan_.processes.size());
            return number;
        });
    }

    /// After those of all processes.
    void addGrids() {
        for (const auto& [identity, dimensions] : all_.grids)
            if (const std::uint32_t comm = numberOf(identity); comm != NumberMap::kNone)
                plan_.grids.try_emplace(comm, dimensions);
    }

    void addUsers(TraceProcess& process) {
        metrics_.number(process.metrics, [this](std::uint32_t thing) {
            return append(plan_.metrics, all_.metrics.key(thing));
        });
        parameters_.number(process.parameters, [this](std::uint32_t thing) {
            return append(plan_.parameters, all_.parameters.key(thing));
        });
        for (const auto& one : process.recorded->throttled) noteThrottled(process, one);
    }

    void addWindows(TraceProcess& process) {
        windows_.number(process.windows, [this](std::uint32_t thing) {
            const std::uint32_t comm = numberOf(all_.windows.facts(thing));
            return comm != NumberMap::kNone ? append(plan_.windows, comm) : comm;
        });
        groups_.number(process.groups, [this](std::uint32_t thing) {
            const GroupKey& group = all_.groups.key(thing);
            std::vector<std::uint64_t> members;
            for (const std::uint32_t rank : group.ranks) members.push_back(rankOf(group.world, rank));
            return append(plan_.groups, std::move(members));
        });
    }

    void addFiles(TraceProcess& process) {
        files_.number(process.files,
                      [this](std::uint32_t thing) { return append(plan_.files, all_.files.key(thing)); });
        handles_.number(process.handles, [this](std::uint32_t thing) {
            const std::uint32_t file = files_.of(all_.files.find(all_.handles.facts(thing)));
            const std::uint32_t comm = numberOf(all_.handles.key(thing).comm);
            const bool isKnown = file != NumberMap::kNone && comm != NumberMap::kNone;
            return isKnown ? append(plan_.handles, TraceHandle{file, comm}) : NumberMap::kNone;
        });
    }

    /// After all of `addComms`, whose numbers it continues.
    void addTeams(TraceProcess& process) {
        const auto& recorded = *process.recorded;
        for (const auto& [ref, team] : recorded.teams) {
            TraceComm comm{"", {TraceGroup::Kind::Team, teamMembers(process, team)}, 0};
            process.teams.set(ref, append(plan_.comms, std::move(comm)));
            plan_.usesOpenMp = true;
        }
        std::vector<std::uint64_t> own;
        for (const auto& location : process.locations) {
            const auto at = recorded.locations.find(location.ref);
            if (at != recorded.locations.end() && at->second.kind != LocationKind::Place &&
                !location.isSamples)
                own.push_back(location.id);
        }
        if (own.size() < 2) return;
        process.hasThreads = true;
        process.threads = append(plan_.comms, TraceComm{"", {TraceGroup::Kind::Threads, own}, 0});
    }

    /// A communicator whose rank 0 left no definition has the ranks that defined it, at the places that they
    /// know of; the other places get the ranks that left nothing, in their order.
    void completeComms() {
        for (const auto& process : plan_.processes) addPlaces(process);
        for (const auto& [number, seen] : incomplete_)
            if (!fillPlaces(plan_.comms[number].group.members, seen))
                plan_.notes.push_back("communicator " + std::to_string(number) + ' ' +
                                      plan_.comms[number].name +
                                      ": its members had to be guessed, as its rank 0 left no recording");
    }

  private:
    bool isFilteredOut(const RecordedRegion& region) const {
        const bool isFunction = region.paradigm == tracing::Paradigm::Compiler;
        if (!isFunction && region.paradigm != tracing::Paradigm::User) return false;
        if (!region.file.empty() && filter_.excludesFile(region.file)) return true;
        return isFunction ? filter_.excludesFunction(region.symbol, region.name)
                          : filter_.excludesRegion(region.name);
    }

    void addSampler(TraceProcess& process, std::uint64_t location, std::vector<RecordedCounter> set,
                    std::size_t first) {
        const bool isOfNode = set.front().scope == counters::Scope::Node;
        auto& all = plan_.sampledSets;
        const auto at = std::ranges::find(all, set);
        const auto number = static_cast<std::uint32_t>(at - all.begin());
        if (at == all.end()) all.push_back(std::move(set));
        process.samplers.push_back(static_cast<std::uint32_t>(plan_.samplers.size()));
        plan_.samplers.push_back({number, process.rank, location, isOfNode, first});
    }

    void noteThrottled(const TraceProcess& process, const RecordedThrottling& one) {
        const auto region = process.regions.find(one.region);
        if (!region || *region == TracePlan::kFilteredOut || !throttled_.insert(*region).second) return;
        plan_.notes.push_back(plan_.regions[*region].name + ": " + std::to_string(one.calls) +
                              " calls of process " + std::to_string(process.rank) + " took " +
                              std::to_string(static_cast<int>(one.nanoseconds)) +
                              " ns each; further calls were not recorded (--throttle 0 records all)");
    }

    std::uint32_t numberOf(const Identity& comm) const { return comms_.of(all_.comms.find(comm)); }

    /// The number of MPI_COMM_WORLD, which its processes define before what they make of it.
    std::optional<std::uint32_t> worldOf(const Identity& identity) const {
        const auto known = worlds_.find(identity.world);
        return known != worlds_.end() ? std::optional(known->second) : std::nullopt;
    }

    const TraceWorld* findWorld(std::uint64_t key) const {
        const auto known = std::ranges::find(plan_.worlds, key, &TraceWorld::key);
        return known != plan_.worlds.end() ? &*known : nullptr;
    }

    /// In the trace; more than there are processes where there is none.
    std::uint64_t rankOf(std::uint64_t world, std::uint32_t rank) const {
        const TraceWorld* const known = findWorld(world);
        return known != nullptr && rank < known->size ? std::uint64_t{known->first} + rank
                                                      : plan_.processes.size();
    }

    /// Ranks in the trace; none where no process knows them.
    std::vector<std::uint64_t> membersOf(const Identity& identity, const CommFacts& facts) const {
        std::vector<std::uint64_t> members;
        for (std::size_t i = 0; i < facts.worldRanks.size(); ++i)
            members.push_back(
                rankOf(facts.worlds.empty() ? identity.world : facts.worlds[i], facts.worldRanks[i]));
        const TraceWorld* const world = findWorld(identity.world);
        if (isWorld(identity) && world != nullptr) {
            members.resize(world->size);
            std::iota(members.begin(), members.end(), world->first);
        }
        const auto isNone = [&](auto member) { return member >= plan_.processes.size(); };
        if (identity == kSelf || std::ranges::any_of(members, isNone)) members.clear();
        return members;
    }

    /// What the members of a communicator say of it.
    struct Seen {
        std::size_t size = 0;
        std::map<std::uint32_t, std::uint64_t> rankAt;
    };

    void addPlaces(const TraceProcess& process) {
        if (incomplete_.empty()) return;
        process.comms.forEach([&](std::uint32_t ref, std::uint32_t number) {
            const auto seen = incomplete_.find(number);
            if (seen != incomplete_.end()) seen->second.rankAt[process.places.at(ref)] = process.rank;
        });
    }

    /// True when every place is known.
    bool fillPlaces(std::vector<std::uint64_t>& members, const Seen& seen) const {
        std::uint64_t silent = 0;
        const auto nextSilent = [&] {
            while (silent < plan_.processes.size() && plan_.processes[silent].recorded != nullptr) ++silent;
            return silent++;
        };
        bool allKnown = true;
        for (std::uint32_t place = 0; place < seen.size; ++place) {
            const auto at = seen.rankAt.find(place);
            const std::uint64_t rank = at != seen.rankAt.end() ? at->second : nextSilent();
            allKnown = allKnown && at != seen.rankAt.end();
            if (rank < plan_.processes.size()) members.push_back(rank);
        }
        return allKnown;
    }

    static std::vector<std::uint64_t> teamMembers(const TraceProcess& process, const RecordedTeam& team) {
        std::vector<std::pair<std::uint32_t, std::uint64_t>> byNumber;
        for (const auto& location : process.locations) {
            const auto at = process.recorded->locations.find(location.ref);
            if (at == process.recorded->locations.end()) continue;
            const auto& recorded = at->second;
            if (location.ref == team.master)
                byNumber.emplace_back(0, location.id);
            else if (recorded.kind == LocationKind::Place && recorded.master == team.master &&
                     recorded.level == team.level && recorded.number < team.size)
                byNumber.emplace_back(recorded.number, location.id);
        }
        std::ranges::sort(byNumber);
        std::vector<std::uint64_t> members;
        for (const auto& [number, id] : byNumber) members.push_back(id);
        return members;
    }

    using RegionKey = std::tuple<std::string, std::string, std::uint32_t, std::uint32_t, int, int>;
    TracePlan& plan_;
    const Definitions& all_;
    const filter::Filter& filter_;
    code::Symbols symbols_;
    std::map<RegionKey, std::uint32_t> resolved_;  ///< addresses of one line are one region
    FirstUse regions_{all_.regions.size()};
    FirstUse metrics_{all_.metrics.size()};
    FirstUse parameters_{all_.parameters.size()};
    FirstUse comms_{all_.comms.size()};
    FirstUse windows_{all_.windows.size()};
    FirstUse groups_{all_.groups.size()};
    FirstUse files_{all_.files.size()};
    FirstUse handles_{all_.handles.size()};
    std::map<std::uint64_t, std::uint32_t> worlds_;  ///< communicators, by the world's key
    std::set<std::uint32_t> throttled_;
    std::set<std::string> sampledHosts_;
    std::map<std::uint32_t, Seen> incomplete_;  ///< communicators without members
};

/// Where there are several worlds.
std::string worldRankName(const std::vector<TraceWorld>& worlds, std::size_t rank) {
    const auto behind = std::ranges::upper_bound(worlds, rank, {}, &TraceWorld::first);
    const auto number = std::to_string(behind - worlds.begin());
    return "MPI Rank " + std::to_string(rank - (behind - 1)->first) + " of world " + number;
}

/// Processes without MPI have the names of their programs where these are several, and the rank that a
/// launcher gave them where that is another number than theirs.
std::vector<std::string> processNames(const Selection& selection) {
    const auto& chosen = selection.processes;
    const bool usesMpi = !selection.worlds.empty();
    std::set<std::string> programs;
    for (const auto* one : chosen)
        if (one != nullptr) programs.insert(one->executable);
    std::vector<std::string> names;
    for (const auto* one : chosen) {
        if (selection.worlds.size() > 1) {
            names.push_back(worldRankName(selection.worlds, names.size()));
            continue;
        }
        std::string name = usesMpi ? "MPI Rank " : "Process ";
        name += std::to_string(names.size());
        std::vector<std::string> facts;
        if (!usesMpi && programs.size() > 1)
            facts.push_back(std::filesystem::path(one->executable).filename().string());
        if (!usesMpi && one->launcherRank >= 0 &&
            one->launcherRank != static_cast<std::int64_t>(names.size()))
            facts.push_back("rank " + std::to_string(one->launcherRank));
        if (!facts.empty()) name += fmt::format(" ({})", fmt::join(facts, ", "));
        names.push_back(usesMpi || chosen.size() > 1 || !facts.empty() ? name : "Process");
    }
    return names;
}

}  // namespace

TracePlan planTrace(Recording& recording, const filter::Filter& filter) {
    return planTrace(recording.processes, recording.definitions, filter);
}

namespace {

/// MPI_Alltoallv, MPI_Ialltoallw and their like.
bool isUnequalExchange(const RecordedRegion& region) {
    return region.paradigm == tracing::Paradigm::Mpi && (region.name.find("lltoallv") != std::string::npos ||
                                                         region.name.find("lltoallw") != std::string::npos);
}

/// pthread_cond_timedwait, sem_clockwait, mtx_timedlock and their like.
bool isWaitWithTimeout(const RecordedRegion& region) {
    return region.paradigm == tracing::Paradigm::Pthread && region.role == tracing::Role::Lock &&
           (region.name.find("timed") != std::string::npos || region.name.find("clock") != std::string::npos);
}

}  // namespace

TracePlan planTrace(std::vector<RecordedProcess>& processes, const Definitions& definitions,
                    const filter::Filter& filter) {
    TracePlan plan;
    const Selection selection = selectProcesses(processes, plan.notes);
    const auto& chosen = selection.processes;
    plan.usesMpi = !selection.worlds.empty();
    plan.worlds = selection.worlds;
    const auto names = processNames(selection);
    for (std::uint32_t rank = 0; rank < chosen.size(); ++rank) {
        TraceProcess process;
        process.recorded = chosen[rank];
        if (chosen[rank] != nullptr) {
            const auto place = static_cast<std::size_t>(chosen[rank] - processes.data());
            static_cast<Numbers&>(process) = std::move(processes[place].numbers);
        }
        process.rank = rank;
        process.name = names[rank];
        process.locations = planLocations(chosen[rank], rank);
        plan.processes.push_back(std::move(process));
    }
    Planner planner(plan, definitions, filter);
    for (auto& process : plan.processes)
        if (process.recorded != nullptr) {
            if (!plan.interrupts) plan.interrupts = process.recorded->interrupts;
            plan.watchesShortage |= process.recorded->watchesShortage;
            planner.addProgram(process);
            planner.addRegions(process);
            planner.addCounters(process);
            planner.addSampled(process);
            planner.addUsers(process);
            planner.addComms(process);
            planner.addWindows(process);
            planner.addFiles(process);
        }
    plan.exchangesUnequally = std::ranges::any_of(plan.regions, isUnequalExchange);
    plan.waitsWithTimeout = std::ranges::any_of(plan.regions, isWaitWithTimeout);
    planner.addGrids();
    planner.completeComms();
    for (auto& process : plan.processes)
        if (process.recorded != nullptr) planner.addTeams(process);
    return plan;
}

bool hasCallPaths(const RecordedProcess* process) {
    return process != nullptr && !process->callPaths.empty();
}

bool hasCallPaths(const TracePlan& plan) {
    return std::ranges::any_of(plan.processes,
                               [](const TraceProcess& process) { return hasCallPaths(process.recorded); });
}

}  // namespace holos::archive
