// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/definitions/definitions_writer.h"

#include <otf2/otf2.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tracing/recordings/archive/definitions/counter_shares.h"
#include "tracing/recordings/archive/definitions/hardware_properties.h"
#include "tracing/recordings/archive/definitions/otf2_names.h"
#include "tracing/recordings/archive/folder/ownership.h"

namespace holos::archive {
namespace {

bool hasThreads(const TracePlan& plan) {
    return std::ranges::any_of(plan.processes, [](const auto& p) { return p.hasThreads; });
}

std::string hostOf(const TraceProcess& process) {
    return process.recorded != nullptr ? process.recorded->host : "unknown";
}

}  // namespace

void DefinitionsWriter::write(const ClockRange& clock,
                              const std::map<std::uint64_t, std::uint64_t>& eventsByLocation, bool hasPolls) {
    constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;
    check(OTF2_GlobalDefWriter_WriteClockProperties(out_, kNanosecondsPerSecond, clock.begin, clock.length,
                                                    clock.realtime),
          "the clock");
    // Events refer to programs by their places in the list: these strings come first.
    for (const std::string& program : plan_.programs) string(program);
    string("");
    if (!plan_.run.empty()) string(kRunOfDefinitions + plan_.run);
    writeParadigms();
    writeSystem(eventsByLocation);
    writeHardware(out_, plan_, nodes_, texts_);
    writeProcessorTimes(out_, plan_, texts_);
    writeRegions();
    writeCounters();
    writeMetrics();
    writeSampled();
    writeParameters();
    writeCallingContexts();
    writeSamples();
    for (const auto& program : plan_.programs) writeProgram(program);
    writeComms();
    writeGrids();
    writeWindows();
    writeFiles();
    if (plan_.watchesShortage) writeShortage();
    if (plan_.exchangesUnequally) writeFromAll();
    if (plan_.waitsWithTimeout) writeTimeout();
    if (hasPolls) writePolls();
}

void DefinitionsWriter::writeParadigms() {
    const auto add = [&](OTF2_Paradigm paradigm, const char* name, OTF2_ParadigmClass kind,
                         const char* commName) {
        check(OTF2_GlobalDefWriter_WriteParadigm(out_, paradigm, string(name), kind), "a paradigm");
        OTF2_AttributeValue value;
        value.stringRef = string(commName);
        check(OTF2_GlobalDefWriter_WriteParadigmProperty(
                  out_, paradigm, OTF2_PARADIGM_PROPERTY_COMM_NAME_TEMPLATE, OTF2_TYPE_STRING, value),
              "a paradigm's property");
    };
    if (plan_.usesMpi) add(OTF2_PARADIGM_MPI, "MPI", OTF2_PARADIGM_CLASS_PROCESS, "Comm ${id}");
    if (plan_.usesOpenMp)
        add(OTF2_PARADIGM_OPENMP, "OpenMP", OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN, "Thread team ${id}");
    if (hasThreads(plan_))
        add(OTF2_PARADIGM_PTHREAD, "Pthread", OTF2_PARADIGM_CLASS_THREAD_CREATE_WAIT, "Threads ${id}");
}

void DefinitionsWriter::writeSystem(const std::map<std::uint64_t, std::uint64_t>& eventsByLocation) {
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(out_, kMachine, string("Linux"), string("machine"),
                                                   OTF2_UNDEFINED_SYSTEM_TREE_NODE),
          "the machine");
    check(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(out_, kMachine, OTF2_SYSTEM_TREE_DOMAIN_MACHINE),
          "the machine");
    for (const auto& process : plan_.processes) {
        const auto [node, isNew] =
            nodes_.try_emplace(hostOf(process), static_cast<OTF2_SystemTreeNodeRef>(nodes_.size() + 1));
        if (!isNew) continue;
        check(OTF2_GlobalDefWriter_WriteSystemTreeNode(out_, node->second, string(node->first),
                                                       string("node"), kMachine),
              "a node");
        check(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(out_, node->second,
                                                             OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY),
              "a node");
    }
    for (const auto& process : plan_.processes) {
        check(OTF2_GlobalDefWriter_WriteLocationGroup(out_, process.rank, string(process.name),
                                                      OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                                      nodes_[hostOf(process)], OTF2_UNDEFINED_LOCATION_GROUP),
              "a process");
        for (const auto& location : process.locations)
            check(OTF2_GlobalDefWriter_WriteLocation(
                      out_, location.id, string(location.name),
                      location.isSamples ? OTF2_LOCATION_TYPE_METRIC : OTF2_LOCATION_TYPE_CPU_THREAD,
                      eventsByLocation.at(location.id), process.rank),
                  "a location");
    }
}

void DefinitionsWriter::writeRegions() {
    for (const auto& region : plan_.regions) writeRegion(region, otf2Paradigm(region.paradigm));
}

void DefinitionsWriter::writeProgram(const std::string& executable) {
    const std::string name = std::filesystem::path(executable).filename().string();
    check(OTF2_GlobalDefWriter_WriteRegion(out_, nextRegion_++, string(name), string(executable), string(""),
                                           OTF2_REGION_ROLE_ARTIFICIAL, OTF2_PARADIGM_MEASUREMENT_SYSTEM,
                                           OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING, 0, 0),
          "a program");
}

void DefinitionsWriter::writeRegion(const RecordedRegion& region, OTF2_Paradigm paradigm) {
    const bool isMpi = paradigm == OTF2_PARADIGM_MPI && region.file.empty();
    const auto file = isMpi                 ? string("MPI")
                      : region.file.empty() ? OTF2_UNDEFINED_STRING
                                            : string(region.file);
    const auto name = string(region.name);
    const auto flags = static_cast<OTF2_RegionFlag>(
        region.role == tracing::Role::Phase ? OTF2_REGION_FLAG_PHASE : OTF2_REGION_FLAG_NONE);
    check(OTF2_GlobalDefWriter_WriteRegion(out_, nextRegion_++, name, name, string(""), otf2Role(region.role),
                                           paradigm, flags, file, region.beginLine, region.endLine),
          "a region");
}

std::vector<OTF2_MetricMemberRef> DefinitionsWriter::writeMembers(
    const std::vector<RecordedCounter>& counters) {
    std::vector<OTF2_MetricMemberRef> members;
    const auto shares = activeSharesOf(plan_.processes);
    for (const auto& counter : counters) {
        const auto known = shares.find(counter.name);
        const std::string counted = known != shares.end() ? sharesText(known->second) : "";
        const bool grows = counter.mode == counters::Mode::Accumulated;
        check(OTF2_GlobalDefWriter_WriteMetricMember(
                  out_, nextMember_, string(counter.name), string(counter.description + counted),
                  OTF2_METRIC_TYPE_OTHER, grows ? OTF2_METRIC_ACCUMULATED_START : OTF2_METRIC_ABSOLUTE_POINT,
                  typeOf(counter), OTF2_BASE_DECIMAL, 0, string(counter.unit)),
              "a counter");
        members.push_back(nextMember_++);
    }
    return members;
}

void DefinitionsWriter::writeCounters() {
    for (OTF2_MetricRef set = 0; set < plan_.counterSets.size(); ++set) {
        const auto members = writeMembers(plan_.counterSets[set]);
        check(OTF2_GlobalDefWriter_WriteMetricClass(out_, set, static_cast<std::uint8_t>(members.size()),
                                                    members.data(), OTF2_METRIC_SYNCHRONOUS_STRICT,
                                                    OTF2_RECORDER_KIND_CPU),
              "a set of counters");
    }
}

void DefinitionsWriter::writeSampled() {
    OTF2_MetricRef ref = plan_.firstSampledSet();
    for (const auto& set : plan_.sampledSets) {
        const auto members = writeMembers(set);
        check(OTF2_GlobalDefWriter_WriteMetricClass(out_, ref++, static_cast<std::uint8_t>(members.size()),
                                                    members.data(), OTF2_METRIC_ASYNCHRONOUS,
                                                    OTF2_RECORDER_KIND_UNKNOWN),
              "a set of sampled counters");
    }
    for (const auto& sampler : plan_.samplers) {
        const auto scope = sampler.isOfNode ? OTF2_SCOPE_SYSTEM_TREE_NODE : OTF2_SCOPE_LOCATION_GROUP;
        const std::uint64_t part =
            sampler.isOfNode ? nodes_.at(hostOf(plan_.processes[sampler.rank])) : sampler.rank;
        check(OTF2_GlobalDefWriter_WriteMetricInstance(out_, ref++, plan_.firstSampledSet() + sampler.set,
                                                       sampler.location, scope, part),
              "sampled counters");
    }
}

void DefinitionsWriter::writeMetrics() {
    OTF2_MetricRef set = plan_.firstMetric();
    for (const auto& metric : plan_.metrics) {
        const bool isReal = metric.type == tracing::MetricType::Real;
        check(OTF2_GlobalDefWriter_WriteMetricMember(
                  out_, nextMember_, string(metric.name), string(""), OTF2_METRIC_TYPE_USER,
                  metric.isTotal ? OTF2_METRIC_ACCUMULATED_START : OTF2_METRIC_ABSOLUTE_POINT,
                  isReal ? OTF2_TYPE_DOUBLE : OTF2_TYPE_INT64, OTF2_BASE_DECIMAL, 0, string(metric.unit)),
              "a metric");
        check(OTF2_GlobalDefWriter_WriteMetricClass(out_, set++, 1, &nextMember_, OTF2_METRIC_SYNCHRONOUS,
                                                    OTF2_RECORDER_KIND_CPU),
              "a metric");
        ++nextMember_;
    }
}

void DefinitionsWriter::writeParameters() {
    OTF2_ParameterRef ref = 0;
    for (const auto& name : plan_.parameters)
        check(OTF2_GlobalDefWriter_WriteParameter(out_, ref++, string(name), OTF2_PARAMETER_TYPE_INT64),
              "a parameter");
}

OTF2_GroupRef DefinitionsWriter::writeGroup(OTF2_GroupType type, OTF2_Paradigm paradigm,
                                            const std::vector<std::uint64_t>& members) {
    std::vector<std::uint64_t> key{type, paradigm};
    key.insert(key.end(), members.begin(), members.end());
    const auto [known, isNew] = groups_.try_emplace(std::move(key), nextGroup_);
    if (!isNew) return known->second;
    check(OTF2_GlobalDefWriter_WriteGroup(out_, nextGroup_, string(""), type, paradigm, OTF2_GROUP_FLAG_NONE,
                                          static_cast<std::uint32_t>(members.size()), members.data()),
          "a group");
    return nextGroup_++;
}

void DefinitionsWriter::writeParadigmLocations(OTF2_Paradigm paradigm, TraceGroup::Kind kind) {
    std::set<std::uint64_t> members;
    for (const auto& comm : plan_.comms)
        if (comm.group.kind == kind) members.insert(comm.group.members.begin(), comm.group.members.end());
    std::vector<std::uint64_t> locations;
    for (const auto& process : plan_.processes)
        for (const auto& location : process.locations) {
            const bool isRank = kind == TraceGroup::Kind::MpiWorld && location.id == process.rank;
            if (!isRank && (kind == TraceGroup::Kind::MpiWorld || !members.contains(location.id))) continue;
            placeInParadigm_[{paradigm, location.id}] = locations.size();
            locations.push_back(location.id);
        }
    writeGroup(OTF2_GROUP_TYPE_COMM_LOCATIONS, paradigm, locations);
}

void DefinitionsWriter::writeThreadComm(OTF2_CommRef ref, const TraceComm& comm, OTF2_Paradigm paradigm) {
    std::vector<std::uint64_t> places;
    for (const auto id : comm.group.members) places.push_back(placeInParadigm_.at({paradigm, id}));
    const auto group = writeGroup(OTF2_GROUP_TYPE_COMM_GROUP, paradigm, places);
    check(OTF2_GlobalDefWriter_WriteComm(out_, ref, string(comm.name), group, OTF2_UNDEFINED_COMM,
                                         OTF2_COMM_FLAG_NONE),
          "a team");
}

void DefinitionsWriter::writeWindows() {
    OTF2_RmaWinRef ref = 0;
    for (const auto comm : plan_.windows)
        check(OTF2_GlobalDefWriter_WriteRmaWin(out_, ref++, string(""), comm,
                                               OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS),
              "a window");
}

void DefinitionsWriter::writeComms() {
    if (plan_.usesMpi) writeParadigmLocations(OTF2_PARADIGM_MPI, TraceGroup::Kind::MpiWorld);
    for (const auto& members : plan_.groups)
        writeGroup(OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, members);
    if (plan_.usesOpenMp) writeParadigmLocations(OTF2_PARADIGM_OPENMP, TraceGroup::Kind::Team);
    if (hasThreads(plan_)) writeParadigmLocations(OTF2_PARADIGM_PTHREAD, TraceGroup::Kind::Threads);
    OTF2_CommRef ref = 0;
    for (const auto& comm : plan_.comms) {
        const auto self = ref++;
        if (comm.group.kind == TraceGroup::Kind::Team) {
            writeThreadComm(self, comm, OTF2_PARADIGM_OPENMP);
        } else if (comm.group.kind == TraceGroup::Kind::Threads) {
            writeThreadComm(self, comm, OTF2_PARADIGM_PTHREAD);
        } else {
            writeMpiComm(self, comm);
        }
    }
}

void DefinitionsWriter::writeMpiComm(OTF2_CommRef ref, const TraceComm& comm) {
    const auto& all = comm.group.members;
    const auto groupOf = [this](auto begin, auto end) {
        return writeGroup(OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, {begin, end});
    };
    if (comm.remoteSize != 0 && comm.remoteSize <= all.size()) {
        const auto second = all.end() - static_cast<std::ptrdiff_t>(comm.remoteSize);
        const auto first = groupOf(all.begin(), second);
        const auto common = comm.common.value_or(OTF2_UNDEFINED_COMM);
        return check(
            OTF2_GlobalDefWriter_WriteInterComm(out_, ref, string(comm.name), first,
                                                groupOf(second, all.end()), common, OTF2_COMM_FLAG_NONE),
            "a communicator between two groups");
    }
    const bool isSelf = comm.group.kind == TraceGroup::Kind::MpiSelf;
    const auto group = isSelf ? writeGroup(OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI, {})
                              : groupOf(all.begin(), all.end());
    check(OTF2_GlobalDefWriter_WriteComm(out_, ref, string(comm.name), group, OTF2_UNDEFINED_COMM,
                                         OTF2_COMM_FLAG_NONE),
          "a communicator");
}

namespace {

using Grid = std::vector<tracing::GridDimension>;

/// Where a rank stands: the last coordinate changes first (MPI 3.1, section 7.5).
std::vector<std::uint32_t> placeOf(std::uint32_t rank, const Grid& grid) {
    std::vector<std::uint32_t> place(grid.size());
    for (std::size_t i = grid.size(); i-- > 0; rank /= grid[i].size) place[i] = rank % grid[i].size;
    return place;
}

/// A grid that OTF2 can hold, with one place for each of the members.
bool fits(const Grid& grid, std::size_t members) {
    std::uint64_t places = 1;
    for (const auto& dimension : grid) {
        if (dimension.size == 0) return false;
        places *= dimension.size;
        if (places > members) return false;
    }
    return !grid.empty() && grid.size() <= std::numeric_limits<std::uint8_t>::max() && places == members;
}

/// MPI has no names: letters for a grid of space.
std::string dimensionName(std::size_t at, std::size_t dimensions) {
    constexpr std::string_view kLetters = "xyz";
    return dimensions <= kLetters.size() ? std::string(1, kLetters[at]) : "d" + std::to_string(at);
}

}  // namespace

void DefinitionsWriter::writeGrids() {
    OTF2_CartDimensionRef nextDimension = 0;
    OTF2_CartTopologyRef self = 0;
    for (const auto& [comm, grid] : plan_.grids) {
        const auto members = static_cast<std::uint32_t>(plan_.comms[comm].group.members.size());
        if (!fits(grid, members)) continue;
        std::vector<OTF2_CartDimensionRef> dimensions;
        for (std::size_t i = 0; i < grid.size(); ++i) {
            check(OTF2_GlobalDefWriter_WriteCartDimension(
                      out_, nextDimension, string(dimensionName(i, grid.size())), grid[i].size,
                      grid[i].isPeriodic ? OTF2_CART_PERIODIC_TRUE : OTF2_CART_PERIODIC_FALSE),
                  "a grid's dimension");
            dimensions.push_back(nextDimension++);
        }
        const auto count = static_cast<std::uint8_t>(grid.size());
        check(OTF2_GlobalDefWriter_WriteCartTopology(out_, self, string("MPI grid " + std::to_string(self)),
                                                     comm, count, dimensions.data()),
              "a grid");
        for (std::uint32_t rank = 0; rank < members; ++rank)
            check(
                OTF2_GlobalDefWriter_WriteCartCoordinate(out_, self, rank, count, placeOf(rank, grid).data()),
                "a place in a grid");
        ++self;
    }
}

void DefinitionsWriter::writeFiles() {
    if (plan_.files.empty()) return;
    check(OTF2_GlobalDefWriter_WriteIoParadigm(out_, kMpiFiles, string("MPI-IO"), string("MPI I/O"),
                                               OTF2_IO_PARADIGM_CLASS_PARALLEL, OTF2_IO_PARADIGM_FLAG_NONE, 0,
                                               nullptr, nullptr, nullptr),
          "MPI's files");
    OTF2_IoFileRef file = 0;
    for (const auto& name : plan_.files)
        check(OTF2_GlobalDefWriter_WriteIoRegularFile(out_, file++, string(name), kMachine), "a file");
    OTF2_IoHandleRef self = 0;
    for (const auto& handle : plan_.handles)
        check(OTF2_GlobalDefWriter_WriteIoHandle(out_, self++, string(""), handle.file, kMpiFiles,
                                                 OTF2_IO_HANDLE_FLAG_NONE, handle.comm,
                                                 OTF2_UNDEFINED_IO_HANDLE),
              "an open file");
    check(OTF2_GlobalDefWriter_WriteAttribute(out_, collectiveHandle(plan_), string("CollectiveIoHandle"),
                                              string("The file that this collective call changed"),
                                              OTF2_TYPE_IO_HANDLE),
          "files");
}

// Samples of the call stack, and polls: definitions of what they say (see events/sample_events.h). Calling
// contexts: where samples were taken, and the calls that led to events.

void DefinitionsWriter::writeSamples() {
    if (!plan_.interrupts) return;
    const auto& [event, period, isTime] = *plan_.interrupts;
    constexpr std::int64_t kNano = -9;
    constexpr std::uint64_t kMillisecond = 1'000'000;
    const bool isWhole = period % kMillisecond == 0;
    const std::string time =
        isWhole ? std::to_string(period / kMillisecond) + " ms" : std::to_string(period) + " ns";
    const std::string every = isTime ? time : std::to_string(period) + ' ' + event;
    const auto member = [&](const std::string& name, const std::string& text, const char* unit,
                            std::int64_t exponent) {
        check(OTF2_GlobalDefWriter_WriteMetricMember(
                  out_, nextMember_, string(name), string(text), OTF2_METRIC_TYPE_OTHER,
                  OTF2_METRIC_ACCUMULATED_LAST, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, exponent, string(unit)),
              "samples");
        return nextMember_++;
    };
    std::vector<OTF2_MetricMemberRef> members;
    members.push_back(member("samples", "Samples of the call stack, one every " + every, "occ", 0));
    if (isTime)
        members.push_back(member("sampled_time", "Processor time by samples: an estimate", "sec", kNano));
    else if (!isOfMemory(*plan_.interrupts))
        members.push_back(member("sampled_" + event, event + " by samples: an estimate", "occ", 0));
    else
        for (const auto& [name, text, unit] : valuesOfMemory())
            members.push_back(member(name, text, unit, 0));
    check(OTF2_GlobalDefWriter_WriteMetricClass(out_, plan_.callStacks(),
                                                static_cast<std::uint8_t>(members.size()), members.data(),
                                                OTF2_METRIC_SYNCHRONOUS, OTF2_RECORDER_KIND_CPU),
          "samples");
    check(
        OTF2_GlobalDefWriter_WriteAttribute(out_, sampledContext(plan_), string("CallingContext"),
                                            string("Where the sample was taken"), OTF2_TYPE_CALLING_CONTEXT),
        "samples");
}

namespace {

OTF2_SourceCodeLocationRef lineOf(const SampledContext& context) {
    return context.place != SampledContext::kNone ? context.place : OTF2_UNDEFINED_SOURCE_CODE_LOCATION;
}

OTF2_CallingContextRef parentOf(const SampledContext& context) {
    return context.parent != SampledContext::kNone ? context.parent : OTF2_UNDEFINED_CALLING_CONTEXT;
}

/// Readers tell by it the functions that compilers make of constructs' bodies.
OTF2_Paradigm paradigmOf(const RecordedRegion& region) {
    return region.paradigm == tracing::Paradigm::OpenMp ? OTF2_PARADIGM_OPENMP : OTF2_PARADIGM_SAMPLING;
}

}  // namespace

void DefinitionsWriter::writeCallingContexts() {
    if (hasCallPaths(plan_))
        check(OTF2_GlobalDefWriter_WriteAttribute(
                  out_, kCallPath, string("UnpredictedCallPath"),
                  string("Calling context in which the region was called. An enter without it has the "
                         "predicted one, from earlier enters of the region at this location: that which "
                         "followed when the context of the last enter occurred before; if it has not "
                         "occurred before, the same context again; for the first enter, none"),
                  OTF2_TYPE_CALLING_CONTEXT),
              "call paths");
    for (const auto& region : code_.regions()) writeRegion(region, paradigmOf(region));
    OTF2_SourceCodeLocationRef place = 0;
    for (const auto& [file, line] : code_.places())
        check(OTF2_GlobalDefWriter_WriteSourceCodeLocation(out_, place++, string(file), line),
              "a source line");
    const std::vector<std::string> orders = code_.callOrders();
    OTF2_CallingContextRef self = 0;
    for (const auto& context : code_.contexts()) {
        check(OTF2_GlobalDefWriter_WriteCallingContext(out_, self, context.region, lineOf(context),
                                                       parentOf(context)),
              "a calling context");
        OTF2_AttributeValue order;
        if (!orders[self].empty()) {
            order.stringRef = string(orders[self]);
            check(OTF2_GlobalDefWriter_WriteCallingContextProperty(out_, self, string("CallOrder"),
                                                                   OTF2_TYPE_STRING, order),
                  "the order of calls");
        }
        ++self;
    }
}

void DefinitionsWriter::writePolls() {
    const auto add = [this](OTF2_AttributeRef self, const char* name, const char* meaning) {
        check(
            OTF2_GlobalDefWriter_WriteAttribute(out_, self, string(name), string(meaning), OTF2_TYPE_UINT64),
            "polls");
    };
    add(polls(plan_), "Calls",
        "Number of calls, from the same place and directly one after the other, that this one stands for; "
        "its time is the sum of theirs");
    add(polls(plan_) + 1, "CallsSpan", "Time from the enter of the first of them to the leave of the last");
}

}  // namespace holos::archive
