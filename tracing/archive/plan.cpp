// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/plan.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

#include "tracing/archive/symbols.h"

namespace holos::archive {
namespace {

using tracing::LocationKind;

constexpr std::uint64_t kIndexShift = 32;
constexpr std::pair kWorld{0U, 0U};  ///< identity of MPI_COMM_WORLD

/// Numbers equal things equally.
template <class Key>
class Numbering {
  public:
    std::pair<std::uint32_t, bool> of(Key key) {
        const auto [at, isNew] =
            known_.try_emplace(std::move(key), static_cast<std::uint32_t>(known_.size()));
        return {at->second, isNew};
    }

  private:
    std::map<Key, std::uint32_t> known_;
};

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
    std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    return result;
}

class Planner {
  public:
    Planner(TracePlan& plan, const filter::Filter& filter) : plan_(plan), filter_(filter) {}

    void addRegions(TraceProcess& process) {
        for (const auto& [ref, recorded] : process.recorded->regions) {
            RecordedRegion region = recorded;
            symbols_.resolve(region);
            if (isFilteredOut(region)) {
                process.filteredOut.insert(ref);
                continue;
            }
            const auto [number, isNew] =
                regions_.of({region.name, region.file, region.beginLine, region.endLine,
                             static_cast<int>(region.paradigm), static_cast<int>(region.role)});
            if (isNew) plan_.regions.push_back(region);
            process.regions[ref] = number;
        }
    }

    void addCounters(TraceProcess& process) {
        const auto& own = process.recorded->counters;
        if (own.empty()) return;
        auto& all = plan_.counterSets;
        const auto at = std::find(all.begin(), all.end(), own);
        process.counterSet = static_cast<std::uint32_t>(at - all.begin());
        if (at == all.end()) all.push_back(own);
    }

    /// A launcher need not say which processes share a node: its first process has its samples then.
    void addSampled(TraceProcess& process) {
        const auto samples = std::find_if(process.locations.begin(), process.locations.end(),
                                          [](const auto& location) { return location.isSamples; });
        const auto& all = process.recorded->sampled;
        if (samples == process.locations.end()) return;
        const auto ofNode = std::find_if(all.begin(), all.end(), [](const auto& counter) {
            return counter.scope == counters::Scope::Node;
        });
        if (ofNode != all.begin()) addSampler(process, samples->id, {all.begin(), ofNode}, 0);
        if (ofNode != all.end() && sampledHosts_.insert(process.recorded->host).second)
            addSampler(process, samples->id, {ofNode, all.end()},
                       static_cast<std::size_t>(ofNode - all.begin()));
    }

    void addComms(TraceProcess& process) {
        constexpr std::uint32_t kSelf = 1;
        for (const auto& [ref, comm] : process.recorded->comms) {
            const bool isSelf = comm.number == kSelf && comm.size == 1;
            const auto identity = isSelf ? std::pair(0u, kSelf) : std::pair(comm.root, comm.number);
            const auto [number, isNew] = comms_.of(identity);
            if (isNew) plan_.comms.push_back({comm.name, {groupKind(isSelf), {}}, comm.remoteSize});
            if (identity == kWorld) plan_.world = number;
            process.comms[ref] = number;
            if (!isSelf) addMembers(number, comm, process.rank);
        }
    }

    void addGrids(TraceProcess& process) {
        for (const auto& grid : process.recorded->grids)
            if (const auto comm = process.comms.find(grid.comm); comm != process.comms.end())
                plan_.grids.try_emplace(comm->second, grid.dimensions);
    }

    void addUsers(TraceProcess& process) {
        for (const auto& [ref, metric] : process.recorded->metrics) {
            const auto [number, isNew] = metrics_.of(metric);
            if (isNew) plan_.metrics.push_back(metric);
            process.metrics[ref] = number;
        }
        for (const auto& [ref, name] : process.recorded->parameters) {
            const auto [number, isNew] = parameters_.of(name);
            if (isNew) plan_.parameters.push_back(name);
            process.parameters[ref] = number;
        }
        for (const auto& one : process.recorded->throttled) noteThrottled(process, one);
    }

    void addWindows(TraceProcess& process) {
        for (const auto& [ref, window] : process.recorded->windows) {
            const auto comm = process.comms.find(window.comm);
            if (comm == process.comms.end()) continue;
            const auto [number, isNew] = windows_.of({window.root, window.number});
            if (isNew) plan_.windows.push_back(comm->second);
            process.windows[ref] = number;
        }
        for (const auto& [ref, ranks] : process.recorded->groups) {
            const auto [number, isNew] = groups_.of(ranks);
            if (isNew) plan_.groups.emplace_back(ranks.begin(), ranks.end());
            process.groups[ref] = number;
        }
    }

    void addFiles(TraceProcess& process) {
        for (const auto& [ref, name] : process.recorded->files) {
            const auto [number, isNew] = files_.of(name);
            if (isNew) plan_.files.push_back(name);
            process.files[ref] = number;
        }
        for (const auto& [ref, handle] : process.recorded->handles) {
            const auto file = process.files.find(handle.file);
            const auto comm = process.comms.find(handle.comm);
            if (file == process.files.end() || comm == process.comms.end()) continue;
            const bool isOwn = plan_.comms[comm->second].group.kind == TraceGroup::Kind::MpiSelf;
            const auto [number, isNew] =
                handles_.of({comm->second, handle.opening, isOwn ? process.rank : 0});
            if (isNew) plan_.handles.push_back({file->second, comm->second});
            process.handles[ref] = number;
        }
    }

    /// After all of `addComms`, whose numbers it continues.
    void addTeams(TraceProcess& process) {
        const auto& recorded = *process.recorded;
        for (const auto& [ref, team] : recorded.teams) {
            process.teams[ref] = static_cast<std::uint32_t>(plan_.comms.size());
            plan_.comms.push_back({"", {TraceGroup::Kind::Team, teamMembers(process, team)}, 0});
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
        process.threads = static_cast<std::uint32_t>(plan_.comms.size());
        plan_.comms.push_back({"", {TraceGroup::Kind::Threads, own}, 0});
    }

    /// A communicator whose rank 0 left no definition has the ranks that defined it, at the places that they
    /// know of; the other places get the ranks that left nothing, in their order.
    void completeComms() {
        for (std::uint32_t i = 0; i < plan_.comms.size(); ++i) {
            auto& members = plan_.comms[i].group.members;
            const auto seen = seenBy_.find(i);
            if (!members.empty() || seen == seenBy_.end()) continue;
            if (fillPlaces(members, seen->second)) continue;
            plan_.notes.push_back("communicator " + std::to_string(i) + ' ' + plan_.comms[i].name +
                                  ": its members had to be guessed, as its rank 0 left no recording");
        }
    }

  private:
    bool isFilteredOut(const RecordedRegion& region) const {
        const bool isFunction = region.paradigm == tracing::Paradigm::Compiler;
        if (!isFunction && region.paradigm != tracing::Paradigm::User) return false;
        if (!region.file.empty() && filter_.excludesFile(region.file)) return true;
        return isFunction ? filter_.excludesFunction(region.symbol) : filter_.excludesRegion(region.name);
    }

    void addSampler(TraceProcess& process, std::uint64_t location, std::vector<RecordedCounter> set,
                    std::size_t first) {
        const bool isOfNode = set.front().scope == counters::Scope::Node;
        auto& all = plan_.sampledSets;
        const auto at = std::find(all.begin(), all.end(), set);
        const auto number = static_cast<std::uint32_t>(at - all.begin());
        if (at == all.end()) all.push_back(std::move(set));
        process.samplers.push_back(static_cast<std::uint32_t>(plan_.samplers.size()));
        plan_.samplers.push_back({number, process.rank, location, isOfNode, first});
    }

    void noteThrottled(const TraceProcess& process, const RecordedThrottling& one) {
        const auto at = process.regions.find(one.region);
        if (at == process.regions.end() || !throttled_.insert(at->second).second) return;
        plan_.notes.push_back(plan_.regions[at->second].name + ": " + std::to_string(one.calls) +
                              " calls of process " + std::to_string(process.rank) + " took " +
                              std::to_string(static_cast<int>(one.nanoseconds)) +
                              " ns each; further calls were not recorded (--throttle 0 records all)");
    }

    static TraceGroup::Kind groupKind(bool isSelf) {
        return isSelf ? TraceGroup::Kind::MpiSelf : TraceGroup::Kind::MpiWorld;
    }

    void addMembers(std::uint32_t number, const RecordedComm& comm, std::uint32_t rank) {
        auto& known = plan_.comms[number];
        Seen& seen = seenBy_[number];
        seen.size = std::min(comm.members(), plan_.processes.size());
        seen.rankAt[comm.place] = rank;
        if (known.name.empty()) known.name = comm.name;
        if (!known.group.members.empty()) return;
        known.group.members.assign(comm.worldRanks.begin(), comm.worldRanks.end());
        if (std::pair(comm.root, comm.number) == kWorld) {
            known.group.members.resize(plan_.processes.size());
            std::iota(known.group.members.begin(), known.group.members.end(), 0);
        }
        const auto isNone = [&](auto member) { return member >= plan_.processes.size(); };
        if (std::any_of(known.group.members.begin(), known.group.members.end(), isNone))
            known.group.members.clear();
    }

    /// What the members of a communicator say of it.
    struct Seen {
        std::size_t size = 0;
        std::map<std::uint32_t, std::uint64_t> rankAt;
    };

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
        std::sort(byNumber.begin(), byNumber.end());
        std::vector<std::uint64_t> members;
        for (const auto& [number, id] : byNumber) members.push_back(id);
        return members;
    }

    using RegionKey = std::tuple<std::string, std::string, std::uint32_t, std::uint32_t, int, int>;
    TracePlan& plan_;
    const filter::Filter& filter_;
    Symbols symbols_;
    Numbering<RegionKey> regions_;
    Numbering<std::pair<std::uint32_t, std::uint32_t>> comms_;
    Numbering<std::pair<std::uint32_t, std::uint32_t>> windows_;
    Numbering<std::vector<std::uint32_t>> groups_;
    Numbering<std::string> files_;
    Numbering<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> handles_;  ///< comm, opening, of whom
    Numbering<RecordedMetric> metrics_;
    Numbering<std::string> parameters_;
    std::set<std::uint32_t> throttled_;
    std::set<std::string> sampledHosts_;
    std::map<std::uint32_t, Seen> seenBy_;  ///< by communicator
};

std::string processName(const TracePlan& plan, std::uint32_t rank, std::size_t processes) {
    if (plan.usesMpi) return "MPI Rank " + std::to_string(rank);
    return processes > 1 ? "Process " + std::to_string(rank) : "Process";
}

}  // namespace

TracePlan planTrace(const std::vector<RecordedProcess>& all, const filter::Filter& filter) {
    TracePlan plan;
    const auto chosen = selectProcesses(all, plan.notes);
    plan.usesMpi = std::any_of(chosen.begin(), chosen.end(), [](const auto* p) { return p && p->world; });
    for (std::uint32_t rank = 0; rank < chosen.size(); ++rank) {
        TraceProcess process;
        process.recorded = chosen[rank];
        process.rank = rank;
        process.name = processName(plan, rank, chosen.size());
        process.locations = planLocations(chosen[rank], rank);
        plan.processes.push_back(std::move(process));
    }
    Planner planner(plan, filter);
    for (auto& process : plan.processes)
        if (process.recorded != nullptr) {
            planner.addRegions(process);
            planner.addCounters(process);
            planner.addSampled(process);
            planner.addUsers(process);
            planner.addComms(process);
            planner.addGrids(process);
            planner.addWindows(process);
            planner.addFiles(process);
        }
    planner.completeComms();
    for (auto& process : plan.processes)
        if (process.recorded != nullptr) planner.addTeams(process);
    return plan;
}

}  // namespace holos::archive
