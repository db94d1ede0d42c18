// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/definitions_builder.h"

#include <algorithm>
#include <numeric>

#include "algebra/model/call_names.h"
#include "analyzer/trace/classification.h"

namespace holos::analyzer::trace {

namespace {

/// Of our own recorder (`tracing/recordings/archive`).
constexpr std::string_view kAttributeOfFiles = "CollectiveIoHandle";
constexpr std::string_view kAttributeOfCalls = "Calls";
constexpr std::string_view kAttributeOfCallsSpan = "CallsSpan";
constexpr std::string_view kAttributeOfShortage = "WithoutProcessor";
constexpr std::string_view kAttributeOfTimeouts = "TimedOut";
constexpr std::string_view kAttributeOfAll = "ReceivesFromAll";
constexpr std::string_view kAttributeOfTimeOff = "AsleepOrWithoutProcessor";
constexpr std::string_view kAttributeOfUnpredictedPaths = "UnpredictedCallPath";
constexpr std::string_view kAttributeOfChangedPaths =
    "CallPath";  ///< in its place until Holos predicted them

/// Processes that are the ranks of communicators: OTF2_GROUP_TYPE_COMM_LOCATION_GROUPS of OTF2 3.2.
constexpr OTF2_GroupType kCommProcesses = 7;

Region artificialRegion(std::string_view name, Paradigm paradigm, const char* paradigmText) {
    Region region;
    region.name = region.canonicalName = name;
    region.role = Role::Artificial;
    region.roleName = "artificial";
    region.paradigm = paradigm;
    region.paradigmName = paradigmText;
    return region;
}

}  // namespace

DefinitionsBuilder::DefinitionsBuilder() {
    auto& regions = definitions_.regions;
    regions.push_back(artificialRegion("UNDEFINED REGION", Paradigm::Unknown, "unknown"));
    regions.push_back(artificialRegion("TASKS", Paradigm::OpenMp, "openmp"));
    regions.push_back(artificialRegion("THREADS", Paradigm::Pthread, "pthread"));
    regions.push_back(artificialRegion(algebra::kFlushRegionName, Paradigm::Measurement, "measurement"));
    regions.push_back(artificialRegion(algebra::kOffRegionName, Paradigm::User, "user"));
    regions.push_back(artificialRegion(algebra::kShortageRegionName, Paradigm::Measurement, "measurement"));
}

void DefinitionsBuilder::addString(OTF2_StringRef self, const char* text) {
    definitions_.stringOf.add(self, StringId(definitions_.strings.size()));
    definitions_.strings.emplace_back(text != nullptr ? text : "");
}

void DefinitionsBuilder::setClock(std::uint64_t resolution, std::uint64_t offset, std::uint64_t length) {
    if (resolution == 0) {
        definitions_.problems.emplace_back("the clock has no resolution: ticks are taken for nanoseconds");
        resolution = 1000000000;
    }
    definitions_.clock = {resolution, offset, length};
    definitions_.clockDefined = true;
}

void DefinitionsBuilder::addSystemNode(OTF2_SystemTreeNodeRef self, OTF2_StringRef name,
                                       OTF2_StringRef className, OTF2_SystemTreeNodeRef parent) {
    SystemNode node{text(name), text(className), std::nullopt, {}};
    if (parent != OTF2_UNDEFINED_SYSTEM_TREE_NODE) node.parent = systemNodeOf_.find(parent);
    systemNodeOf_.add(self, SystemNodeId(definitions_.systemNodes.size()));
    definitions_.systemNodes.push_back(std::move(node));
}

void DefinitionsBuilder::addProcess(OTF2_LocationGroupRef self, OTF2_StringRef name,
                                    OTF2_LocationGroupType type, OTF2_SystemTreeNodeRef node) {
    Process process;
    process.reference = self;
    process.name = text(name);
    process.accelerator = type == OTF2_LOCATION_GROUP_TYPE_ACCELERATOR;
    process.node = systemNodeOf_.find(node);
    processOf_.add(self, ProcessId(definitions_.processes.size()));
    definitions_.processes.push_back(std::move(process));
}

void DefinitionsBuilder::addLocation(OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type,
                                     std::uint64_t events, OTF2_LocationGroupRef group) {
    if (locationOf_.find(self)) return;
    Location location;
    location.reference = self;
    location.name = text(name);
    location.events = events;
    if (type == OTF2_LOCATION_TYPE_METRIC) location.kind = Location::Kind::Metric;
    if (type == OTF2_LOCATION_TYPE_ACCELERATOR_STREAM) location.kind = Location::Kind::Accelerator;
    auto process = processOf_.find(group);
    if (!process) {
        definitions_.problems.push_back("location " + std::to_string(self) + " belongs to no process");
        addProcess(group, OTF2_UNDEFINED_STRING, OTF2_LOCATION_GROUP_TYPE_PROCESS,
                   OTF2_UNDEFINED_SYSTEM_TREE_NODE);
        process = processOf_.find(group);
    }
    location.process = *process;
    locationOf_.add(self, LocationId(definitions_.locations.size()));
    definitions_.locations.push_back(std::move(location));
}

void DefinitionsBuilder::addRegion(OTF2_RegionRef self, Region region) {
    // The recorder's own definitions of the artificial regions take the place of ours.
    for (const RegionId ours : {kFlushRegion, kOffRegion})
        if (region.role == Role::Artificial && region.name == definitions_.regions[ours.index()].name) {
            definitions_.regionOf.add(self, ours);
            definitions_.regions[ours.index()] = std::move(region);
            return;
        }
    separateName(region);
    // Writers that do not unify definitions have a region once for each process.
    const RegionId next(definitions_.regions.size());
    const auto [known, isNew] = regionOfName_.try_emplace(region.name, next);
    if (!isNew && definitions_.regions[known->second.index()] == region)
        return definitions_.regionOf.add(self, known->second);
    definitions_.regionOf.add(self, next);
    definitions_.regions.push_back(std::move(region));
}

void DefinitionsBuilder::addGroup(OTF2_GroupRef self, OTF2_GroupType type, OTF2_Paradigm paradigm,
                                  OTF2_GroupFlag flags, std::vector<std::uint64_t> members) {
    Group group{type, paradigm, flags, std::move(members)};
    // Kept apart: EZTrace gives its number to another group, too.
    if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS || type == kCommProcesses)
        commLocations_.try_emplace(paradigm, group);
    groups_[self] = std::move(group);
}

void DefinitionsBuilder::addComm(OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group,
                                 OTF2_GroupRef remoteGroup) {
    Comm comm;
    comm.name = text(name);
    definitions_.commOf.add(self, CommId(definitions_.comms.size()));
    definitions_.comms.push_back(std::move(comm));
    pendingComms_.push_back({group, remoteGroup});
}

void DefinitionsBuilder::addWindow(OTF2_RmaWinRef self, OTF2_StringRef name, OTF2_CommRef comm) {
    pendingWindows_.push_back({self, name, comm});
}

void DefinitionsBuilder::addFile(OTF2_IoFileRef self, OTF2_StringRef name) {
    fileNames_[self] = text(name);
}

void DefinitionsBuilder::addFileHandle(OTF2_IoHandleRef self, OTF2_IoFileRef file, OTF2_CommRef comm) {
    pendingHandles_.push_back({self, file, comm});
}

void DefinitionsBuilder::addAttribute(OTF2_AttributeRef self, OTF2_StringRef name, OTF2_Type type) {
    if (type == OTF2_TYPE_IO_HANDLE && text(name) == kAttributeOfFiles) definitions_.attributeOfFiles = self;
    if (type == OTF2_TYPE_UINT64 && text(name) == kAttributeOfCalls) definitions_.attributeOfCalls = self;
    if (type == OTF2_TYPE_UINT64 && text(name) == kAttributeOfCallsSpan)
        definitions_.attributeOfCallsSpan = self;
    if (type == OTF2_TYPE_UINT64 && text(name) == kAttributeOfShortage)
        definitions_.attributeOfShortage = self;
    if (type == OTF2_TYPE_UINT64 && text(name) == kAttributeOfTimeOff) definitions_.attributeOfTimeOff = self;
    if (type == OTF2_TYPE_UINT64 && text(name) == kAttributeOfTimeouts)
        definitions_.attributeOfTimeouts = self;
    if (type == OTF2_TYPE_UINT8 && text(name) == kAttributeOfAll) definitions_.attributeOfAll = self;
    if (type == OTF2_TYPE_UINT64 && text(name) == "GUID") definitions_.attributeOfTasks = self;
    if (type != OTF2_TYPE_CALLING_CONTEXT) return;
    const bool isPredicted = text(name) == kAttributeOfUnpredictedPaths;
    if (!isPredicted && (definitions_.arePathsPredicted || text(name) != kAttributeOfChangedPaths)) return;
    definitions_.attributeOfCallPaths = self;
    definitions_.arePathsPredicted = isPredicted;
}

void DefinitionsBuilder::addMetricMember(OTF2_MetricMemberRef self, MetricMember member) {
    memberOf_.add(self, newMember(std::move(member)));
}

MemberId DefinitionsBuilder::newMember(MetricMember member) {
    definitions_.metricMembers.push_back(std::move(member));
    return MemberId(definitions_.metricMembers.size() - 1);
}

void DefinitionsBuilder::addMetricClass(OTF2_MetricRef self, const OTF2_MetricMemberRef* members,
                                        std::uint8_t count) {
    MetricClass metricClass;
    for (std::uint8_t i = 0; i < count; ++i) {
        const auto member = memberOf_.find(members[i]);
        if (!member) {
            definitions_.problems.push_back("metric class " + std::to_string(self) +
                                            " has an undefined member");
            return;
        }
        metricClass.members.push_back(*member);
    }
    definitions_.metricClassOf.add(self, MetricClassId(definitions_.metricClasses.size()));
    definitions_.metricClasses.push_back(std::move(metricClass));
}

void DefinitionsBuilder::addMetricInstance(OTF2_MetricRef self, OTF2_MetricRef metricClass,
                                           OTF2_LocationRef reader, OTF2_MetricScope scope,
                                           std::uint64_t part) {
    const auto found = definitions_.metricClassOf.find(metricClass);
    if (!found) return;
    const MetricClassId own(definitions_.metricClasses.size());
    definitions_.metricClasses.push_back({definitions_.metricClasses[found->index()].members});
    definitions_.metricClassOf.add(self, own);
    pendingReadings_.push_back({own, reader, scope, part});
}

void DefinitionsBuilder::addInterruptGenerator(OTF2_InterruptGeneratorRef self, OTF2_StringRef name,
                                               bool isTime, double period) {
    const auto counter = [&](const std::string& called, const char* description, const char* unit,
                             double scale) {
        return newMember(
            {called, description, unit, MetricMode::AccumulatedPart, MetricType::Unsigned, scale});
    };
    if (!samples_) samples_ = counter("samples", "Samples of the call stack", "occ", 1);
    const MemberId worth =
        isTime ? counter(std::string(kSampledTime), "Time by samples: an estimate", "sec", period)
               : counter("sampled_" + text(name), "Events by samples: an estimate", "occ", period);
    definitions_.samplesOf.add(self, MetricClassId(definitions_.metricClasses.size()));
    definitions_.metricClasses.push_back({{*samples_, worth}});
}

Definitions DefinitionsBuilder::finish() {
    if (!definitions_.clockDefined) {
        definitions_.problems.emplace_back("the clock is not defined: ticks are taken for nanoseconds");
        definitions_.clock.ticksPerSecond = 1000000000;
    }
    nameThreadsOfProcesses();
    orderProcesses();
    orderLocations();
    resolveComms();
    resolveWindows();
    resolveFiles();
    resolveGroups();
    resolveReadings();
    resolveGrids();
    reportContexts();
    return std::move(definitions_);
}

const DefinitionsBuilder::Group* DefinitionsBuilder::commLocations(OTF2_Paradigm paradigm) const {
    const auto found = commLocations_.find(paradigm);
    return found != commLocations_.end() ? &found->second : nullptr;
}

/// OTF2 3.2 can have processes as the ranks of communicators, where older versions have a thread of each: the
/// first thread of a process stands for it.
void DefinitionsBuilder::nameThreadsOfProcesses() {
    std::map<std::uint64_t, std::uint64_t> threadOf;
    for (const Location& location : definitions_.locations)
        if (location.kind == Location::Kind::Thread)
            threadOf.try_emplace(definitions_[location.process].reference, location.reference);
    for (auto& [paradigm, group] : commLocations_) {
        if (group.type != kCommProcesses) continue;
        for (std::uint64_t& member : group.members) {
            const auto thread = threadOf.find(member);
            member = thread != threadOf.end() ? thread->second : OTF2_UNDEFINED_LOCATION;
        }
    }
}

/// MPI processes by rank in the world, others behind them in the order of their definition. A process without
/// locations is none: lo2s defines one for each processor.
void DefinitionsBuilder::orderProcesses() {
    auto& processes = definitions_.processes;
    std::vector<std::size_t> rank(processes.size(), processes.size());
    if (const Group* mpi = commLocations(OTF2_PARADIGM_MPI)) {
        for (std::size_t i = 0; i < mpi->members.size(); ++i)
            if (const auto location = locationOf_.find(mpi->members[i])) {
                auto& slot = rank[definitions_[*location].process.index()];
                slot = std::min(slot, i);
            }
    }
    std::vector<std::size_t> order(processes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](auto a, auto b) { return rank[a] < rank[b]; });
    std::vector<bool> isUsed(processes.size());
    for (const Location& location : definitions_.locations) isUsed[location.process.index()] = true;
    order.erase(std::remove_if(order.begin(), order.end(), [&](auto one) { return !isUsed[one]; }),
                order.end());
    std::vector<Process> sorted;
    sorted.reserve(order.size());
    std::vector<ProcessId> newId(processes.size());
    processOf_ = {};
    for (const std::size_t old : order) {
        newId[old] = ProcessId(sorted.size());
        processOf_.add(processes[old].reference, newId[old]);
        sorted.push_back(std::move(processes[old]));
    }
    processes = std::move(sorted);
    for (Location& location : definitions_.locations) location.process = newId[location.process.index()];
}

/// Process by process; within a process the thread that MPI knows comes first, and what is no thread last, so
/// that threads have the same numbers however a run was counted or sampled.
void DefinitionsBuilder::orderLocations() {
    auto& locations = definitions_.locations;
    std::vector<std::size_t> order(locations.size());
    std::vector<bool> isMaster(locations.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (const Group* mpi = commLocations(OTF2_PARADIGM_MPI))
        for (const std::uint64_t member : mpi->members)
            if (const auto location = locationOf_.find(member)) isMaster[location->index()] = true;
    const auto isThread = [&](std::size_t at) { return locations[at].kind == Location::Kind::Thread; };
    std::ranges::stable_sort(order, [&](auto a, auto b) {
        if (locations[a].process != locations[b].process) return locations[a].process < locations[b].process;
        if (isMaster[a] != isMaster[b]) return static_cast<bool>(isMaster[a]);
        return isThread(a) && !isThread(b);
    });
    std::vector<Location> sorted;
    sorted.reserve(order.size());
    locationOf_ = {};
    for (const std::size_t old : order) {
        Location location = std::move(locations[old]);
        Process& process = definitions_.processes[location.process.index()];
        location.rank = static_cast<std::uint32_t>(process.threads.size());
        const LocationId id(sorted.size());
        process.threads.push_back(id);
        locationOf_.add(location.reference, id);
        sorted.push_back(std::move(location));
    }
    locations = std::move(sorted);
}

std::vector<LocationId> DefinitionsBuilder::membersOf(const Group& group) {
    const Group* space = group.type == OTF2_GROUP_TYPE_COMM_GROUP ? commLocations(group.paradigm) : nullptr;
    std::vector<LocationId> members;
    for (std::uint64_t member : group.members) {
        if (group.type == OTF2_GROUP_TYPE_COMM_GROUP) {
            if (space == nullptr || member >= space->members.size()) {
                definitions_.problems.emplace_back("a communicator has a member that is not defined");
                return {};
            }
            member = space->members[member];
        }
        const auto location = locationOf_.find(member);
        if (!location) {
            definitions_.problems.push_back("a group names location " + std::to_string(member) +
                                            ", which is not defined");
            return {};
        }
        members.push_back(*location);
    }
    return members;
}

void DefinitionsBuilder::resolveComms() {
    for (std::size_t i = 0; i < definitions_.comms.size(); ++i) {
        Comm& comm = definitions_.comms[i];
        const auto found = groups_.find(pendingComms_[i].group);
        if (found == groups_.end()) {
            definitions_.problems.push_back("communicator \"" + comm.name + "\" has no group");
            continue;
        }
        const Group& group = found->second;
        comm.paradigm = toParadigm(group.paradigm);
        comm.isSelf = group.type == OTF2_GROUP_TYPE_COMM_SELF;
        comm.members = membersOf(group);
        if ((group.flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) != 0)
            if (const Group* space = commLocations(group.paradigm)) comm.globalRanks = membersOf(*space);
        const auto remote = groups_.find(pendingComms_[i].remoteGroup);
        if (remote != groups_.end()) comm.remoteMembers = membersOf(remote->second);
    }
}

/// A window orders its operations apart from those of the communicator that it was made of.
void DefinitionsBuilder::resolveWindows() {
    for (const PendingWindow& window : pendingWindows_) {
        const auto comm = definitions_.commOf.find(window.comm);
        if (!comm) {
            definitions_.problems.push_back("window " + std::to_string(window.self) + " has no communicator");
            continue;
        }
        definitions_.windowOf.add(window.self, addCopy(*comm, text(window.name)));
    }
}

/// A file gets its processes in that way, too. Nobody waits for others at one that a process has open for
/// itself.
void DefinitionsBuilder::resolveFiles() {
    for (const PendingHandle& handle : pendingHandles_) {
        const auto comm = definitions_.commOf.find(handle.comm);
        if (!comm || definitions_[*comm].paradigm != Paradigm::Mpi || definitions_[*comm].members.size() < 2)
            continue;
        definitions_.sharedFileOf.add(handle.self, addCopy(*comm, fileNames_[handle.file]));
    }
}

CommId DefinitionsBuilder::addCopy(CommId comm, const std::string& name) {
    Comm copy = definitions_[comm];
    copy.name = name;
    definitions_.comms.push_back(std::move(copy));
    return CommId(definitions_.comms.size() - 1);
}

void DefinitionsBuilder::resolveReadings() {
    for (const PendingReading& reading : pendingReadings_) {
        const auto reader = locationOf_.find(reading.reader);
        if (!reader || definitions_[*reader].kind != Location::Kind::Metric) continue;
        MetricClass& read = definitions_.metricClasses[reading.metricClass.index()];
        // Levels, such as temperatures, are not divided.
        if (std::ranges::any_of(read.members, [&](MemberId member) {
                return definitions_.metricMembers[member.index()].mode != MetricMode::Absolute;
            }))
            read.readFor = threadsOf(reading);
    }
}

std::vector<LocationId> DefinitionsBuilder::threadsOf(const PendingReading& reading) {
    std::vector<LocationId> threads;
    const auto add = [&](LocationId location) {
        if (definitions_[location].kind == Location::Kind::Thread) threads.push_back(location);
    };
    const auto addAll = [&](const Process& process) {
        for (const LocationId location : process.threads) add(location);
    };
    if (reading.scope == OTF2_SCOPE_LOCATION) {
        if (const auto location = locationOf_.find(reading.part)) add(*location);
    } else if (reading.scope == OTF2_SCOPE_LOCATION_GROUP) {
        if (const auto process = processOf_.find(reading.part)) addAll(definitions_[*process]);
    } else if (reading.scope == OTF2_SCOPE_SYSTEM_TREE_NODE) {
        const auto whole = systemNodeOf_.find(reading.part);
        for (const Process& process : definitions_.processes) {
            auto node = process.node;
            while (node && node != whole) node = definitions_.systemNodes[node->index()].parent;
            if (node) addAll(process);
        }
    } else if (reading.scope == OTF2_SCOPE_GROUP) {
        for (const LocationId location : locationsOf(reading.part)) add(location);
    }
    return threads;
}

/// Of a group that consists of locations.
std::set<LocationId> DefinitionsBuilder::locationsOf(std::uint64_t group) {
    const auto found =
        group <= OTF2_UNDEFINED_GROUP ? groups_.find(static_cast<OTF2_GroupRef>(group)) : groups_.end();
    if (found == groups_.end()) return {};
    switch (found->second.type) {
        case OTF2_GROUP_TYPE_LOCATIONS:
        case OTF2_GROUP_TYPE_COMM_LOCATIONS:
        case OTF2_GROUP_TYPE_COMM_GROUP: {
            const std::vector<LocationId> members = membersOf(found->second);
            return {members.begin(), members.end()};
        }
        default:
            return {};
    }
}

/// Groups of processes are asked for only when processes give access to windows.
void DefinitionsBuilder::resolveGroups() {
    if (pendingWindows_.empty()) return;
    for (const auto& [reference, group] : groups_) {
        if (group.type != OTF2_GROUP_TYPE_COMM_GROUP || group.paradigm != OTF2_PARADIGM_MPI) continue;
        definitions_.groupOf.add(reference, GroupId(definitions_.groups.size()));
        definitions_.groups.push_back(membersOf(group));
    }
}

}  // namespace holos::analyzer::trace
