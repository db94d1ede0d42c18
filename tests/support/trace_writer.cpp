// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/trace_writer.h"

#include <numeric>
#include <stdexcept>

namespace holos::testing {
namespace {

OTF2_FlushType flushAlways(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
    return OTF2_FLUSH;
}
constexpr OTF2_FlushCallbacks kFlush{flushAlways, nullptr};

constexpr OTF2_SystemTreeNodeRef kMachine = 0;
constexpr OTF2_SystemTreeNodeRef kNode = 1;

}  // namespace

void expectSuccess(OTF2_ErrorCode code, const std::string& what) {
    if (code == OTF2_SUCCESS) return;
    throw std::runtime_error("cannot write " + what + ": " + OTF2_Error_GetDescription(code));
}

OTF2_Archive* createArchive(const std::filesystem::path& directory) {
    // Small: writers and readers clear such a chunk for every location. A record fits into one; the largest
    // is that of a communicator with all processes.
    constexpr std::uint64_t kEventChunk = 256 * 1024;
    constexpr std::uint64_t kDefinitionChunk = 1024 * 1024;
    OTF2_Archive* archive = OTF2_Archive_Open(directory.c_str(), "traces", OTF2_FILEMODE_WRITE, kEventChunk,
                                              kDefinitionChunk, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive == nullptr) throw std::runtime_error("cannot create an archive in " + directory.string());
    expectSuccess(OTF2_Archive_SetFlushCallbacks(archive, &kFlush, nullptr), "flush callbacks");
    expectSuccess(OTF2_Archive_SetSerialCollectiveCallbacks(archive), "collective callbacks");
    return archive;
}

std::filesystem::path TraceWriter::write(const std::filesystem::path& directory) {
    OTF2_Archive* archive = createArchive(directory);
    writeEvents(archive);
    writeLocalDefinitions(archive);
    writeGlobalDefinitions(archive);
    expectSuccess(OTF2_Archive_Close(archive), "the archive");
    return directory / "traces.otf2";
}

std::vector<OTF2_LocationRef> TraceWriter::threads() const {
    std::vector<OTF2_LocationRef> all;
    for (unsigned rank = 0; rank < trace_.processes(); ++rank)
        for (unsigned thread = 0; thread < trace_.threads(); ++thread)
            all.push_back(TraceBuilder::locationOf(rank, thread));
    return all;
}

std::vector<TraceWriter::Scripted> TraceWriter::locations() const {
    std::vector<Scripted> all;
    for (unsigned rank = 0; rank < trace_.processes(); ++rank)
        for (unsigned thread = 0; thread < trace_.threads(); ++thread)
            all.push_back({TraceBuilder::locationOf(rank, thread), OTF2_LOCATION_TYPE_CPU_THREAD,
                           thread == 0 ? "Master thread" : "OMP thread " + std::to_string(thread), rank,
                           &trace_.locations_[rank * trace_.threads() + thread]});
    for (const auto& [rank, script] : trace_.streams_)
        all.push_back({TraceBuilder::locationOf(rank, trace_.threads()),
                       OTF2_LOCATION_TYPE_ACCELERATOR_STREAM, "Stream", rank, &script});
    for (const auto& [rank, script] : trace_.samplers_)
        all.push_back({TraceBuilder::samplerOf(rank), OTF2_LOCATION_TYPE_METRIC, "Samples", rank, &script});
    return all;
}

void TraceWriter::writeEvents(OTF2_Archive* archive) {
    expectSuccess(OTF2_Archive_OpenEvtFiles(archive), "event files");
    for (const Scripted& location : locations()) {
        OTF2_EvtWriter* out = OTF2_Archive_GetEvtWriter(archive, location.reference);
        for (const auto& record : location.script->records()) expectSuccess(record(out), "an event");
        std::uint64_t count = 0;
        expectSuccess(OTF2_EvtWriter_GetNumberOfEvents(out, &count), "the number of events");
        eventCounts_.push_back(count);
        expectSuccess(OTF2_Archive_CloseEvtWriter(archive, out), "an event file");
    }
    expectSuccess(OTF2_Archive_CloseEvtFiles(archive), "event files");
}

void TraceWriter::writeLocalDefinitions(OTF2_Archive* archive) {
    expectSuccess(OTF2_Archive_OpenDefFiles(archive), "local definitions");
    for (const Scripted& location : locations()) {
        OTF2_DefWriter* out = OTF2_Archive_GetDefWriter(archive, location.reference);
        if (location.script->clockGain() != 0) writeClock(out, location.script->clockGain());
        expectSuccess(OTF2_Archive_CloseDefWriter(archive, out), "local definitions");
    }
    expectSuccess(OTF2_Archive_CloseDefFiles(archive), "local definitions");
}

void TraceWriter::writeClock(OTF2_DefWriter* out, unsigned gain) const {
    for (const Tick tick : {Tick{0}, trace_.length()}) {
        const Tick ahead = tick / LocationScript::kMillion * gain;
        expectSuccess(OTF2_DefWriter_WriteClockOffset(out, trace_.offset_ + tick + ahead,
                                                      -static_cast<std::int64_t>(ahead), 0),
                      "a clock");
    }
}

OTF2_StringRef TraceWriter::string(OTF2_GlobalDefWriter* out, const std::string& text) {
    const auto [known, isNew] = strings_.try_emplace(text, static_cast<OTF2_StringRef>(strings_.size()));
    if (isNew) expectSuccess(OTF2_GlobalDefWriter_WriteString(out, known->second, text.c_str()), text);
    return known->second;
}

void TraceWriter::writeGlobalDefinitions(OTF2_Archive* archive) {
    OTF2_GlobalDefWriter* out = OTF2_Archive_GetGlobalDefWriter(archive);
    expectSuccess(OTF2_GlobalDefWriter_WriteClockProperties(out, trace_.ticksPerSecond_, trace_.offset_,
                                                            trace_.length(), OTF2_UNDEFINED_TIMESTAMP),
                  "the clock");
    writeSystem(out);
    writeRegions(out);
    writeCommunicators(out);
    writeWindows(out);
    writeFiles(out);
    writeCounters(out);
    writeSamples(out);
    expectSuccess(OTF2_Archive_CloseGlobalDefWriter(archive, out), "global definitions");
}

void TraceWriter::writeSystem(OTF2_GlobalDefWriter* out) {
    expectSuccess(
        OTF2_GlobalDefWriter_WriteSystemTreeNode(out, kMachine, string(out, "test machine"),
                                                 string(out, "machine"), OTF2_UNDEFINED_SYSTEM_TREE_NODE),
        "the machine");
    for (unsigned node = 0; node < trace_.nodes_; ++node)
        expectSuccess(OTF2_GlobalDefWriter_WriteSystemTreeNode(
                          out, kNode + node,
                          string(out, trace_.nodes_ == 1 ? "test node" : "node" + std::to_string(node)),
                          string(out, "node"), kMachine),
                      "a node");
    for (unsigned rank = 0; rank < trace_.processes(); ++rank) {
        const auto process = string(out, "MPI Rank " + std::to_string(rank));
        expectSuccess(OTF2_GlobalDefWriter_WriteLocationGroup(
                          out, rank, process, OTF2_LOCATION_GROUP_TYPE_PROCESS,
                          kNode + rank * trace_.nodes_ / trace_.processes(), OTF2_UNDEFINED_LOCATION_GROUP),
                      "a process");
    }
    const auto all = locations();
    for (std::size_t i = 0; i < all.size(); ++i)
        expectSuccess(
            OTF2_GlobalDefWriter_WriteLocation(out, all[i].reference, string(out, all[i].name), all[i].type,
                                               trace_.claimedEvents_.value_or(eventCounts_[i]), all[i].rank),
            "a location");
    for (const auto& [location, properties] : trace_.properties_)
        for (const auto& [name, text] : properties) {
            OTF2_AttributeValue value;
            value.stringRef = string(out, text);
            expectSuccess(OTF2_GlobalDefWriter_WriteLocationProperty(out, location, string(out, name),
                                                                     OTF2_TYPE_STRING, value),
                          name);
        }
}

void TraceWriter::writeRegions(OTF2_GlobalDefWriter* out) {
    for (std::size_t i = 0; i < trace_.regions_.size(); ++i) {
        const auto& [name, kind] = trace_.regions_[i];
        const auto nameRef = string(out, name);
        const auto file = kind.file.empty() ? OTF2_UNDEFINED_STRING : string(out, kind.file);
        expectSuccess(OTF2_GlobalDefWriter_WriteRegion(out, static_cast<OTF2_RegionRef>(i), nameRef, nameRef,
                                                       string(out, ""), kind.role, kind.paradigm,
                                                       OTF2_REGION_FLAG_NONE, file, 0, 0),
                      name);
    }
}

void TraceWriter::writeGroup(OTF2_GlobalDefWriter* out, OTF2_GroupRef group, OTF2_GroupType type,
                             OTF2_Paradigm paradigm, const std::vector<std::uint64_t>& members) {
    expectSuccess(
        OTF2_GlobalDefWriter_WriteGroup(out, group, string(out, ""), type, paradigm, OTF2_GROUP_FLAG_NONE,
                                        static_cast<std::uint32_t>(members.size()), members.data()),
        "a group");
}

void TraceWriter::writeWindows(OTF2_GlobalDefWriter* out) {
    for (OTF2_RmaWinRef window = 0; window < trace_.windows_; ++window)
        expectSuccess(OTF2_GlobalDefWriter_WriteRmaWin(out, window, string(out, "window"), kWorld,
                                                       OTF2_RMA_WIN_FLAG_NONE),
                      "a window");
    for (std::size_t i = 0; i < trace_.groups_.size(); ++i)
        writeGroup(out, groupRef(i), OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, trace_.groups_[i]);
}

void TraceWriter::writeFiles(OTF2_GlobalDefWriter* out) {
    if (trace_.files_.empty()) return;
    constexpr OTF2_IoParadigmRef kMpiFiles = 0;
    expectSuccess(
        OTF2_GlobalDefWriter_WriteIoParadigm(out, kMpiFiles, string(out, "MPI-IO"), string(out, "MPI I/O"),
                                             OTF2_IO_PARADIGM_CLASS_PARALLEL, OTF2_IO_PARADIGM_FLAG_NONE, 0,
                                             nullptr, nullptr, nullptr),
        "MPI's files");
    for (OTF2_IoHandleRef handle = 0; handle < trace_.files_.size(); ++handle) {
        const OTF2_IoFileRef file = handle;
        const auto name = string(out, "data." + std::to_string(file));
        expectSuccess(OTF2_GlobalDefWriter_WriteIoRegularFile(out, file, name, kMachine), "a file");
        expectSuccess(OTF2_GlobalDefWriter_WriteIoHandle(out, handle, string(out, ""), file, kMpiFiles,
                                                         OTF2_IO_HANDLE_FLAG_NONE, trace_.files_[handle],
                                                         OTF2_UNDEFINED_IO_HANDLE),
                      "an open file");
    }
    expectSuccess(
        OTF2_GlobalDefWriter_WriteAttribute(out, kCollectiveIoHandle, string(out, "CollectiveIoHandle"),
                                            string(out, ""), OTF2_TYPE_IO_HANDLE),
        "an attribute");
}

void TraceWriter::writeCommunicators(OTF2_GlobalDefWriter* out) {
    OTF2_GroupRef group = 0;
    OTF2_CommRef comm = 0;
    const auto addGroup = [&](OTF2_GroupType type, OTF2_Paradigm paradigm,
                              const std::vector<std::uint64_t>& who) {
        writeGroup(out, group, type, paradigm, who);
        return group++;
    };
    const auto addComm = [&](const std::string& name, OTF2_GroupRef members) {
        expectSuccess(OTF2_GlobalDefWriter_WriteComm(out, comm++, string(out, name), members,
                                                     OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE),
                      "a communicator");
    };

    std::vector<std::uint64_t> ranks(trace_.processes());
    std::iota(ranks.begin(), ranks.end(), 0);
    addGroup(OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, ranks);
    addGroup(OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_OPENMP, threads());
    addComm("MPI_COMM_WORLD", addGroup(OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, ranks));
    addComm("MPI_COMM_SELF", addGroup(OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI, {}));
    for (unsigned rank = 0; rank < trace_.processes(); ++rank) {
        std::vector<std::uint64_t> team(trace_.usualTeam_.value_or(trace_.threads()));
        std::iota(team.begin(), team.end(), rank * trace_.threads());
        addComm("", addGroup(OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_OPENMP, team));
    }
    for (const auto& [members, remote, isTeam] : trace_.communicators_) {
        const auto first =
            addGroup(OTF2_GROUP_TYPE_COMM_GROUP, isTeam ? OTF2_PARADIGM_OPENMP : OTF2_PARADIGM_MPI, members);
        if (remote.empty()) {
            addComm("", first);
            continue;
        }
        const auto second = addGroup(OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, remote);
        expectSuccess(OTF2_GlobalDefWriter_WriteInterComm(out, comm++, string(out, ""), first, second, kWorld,
                                                          OTF2_COMM_FLAG_NONE),
                      "a communicator of two groups");
    }
}

void TraceWriter::writeCounters(OTF2_GlobalDefWriter* out) {
    OTF2_MetricMemberRef next = 0;
    OTF2_MetricRef metric = 0;
    for (const auto& [counters, occurrence] : trace_.counterClasses_) {
        std::vector<OTF2_MetricMemberRef> members;
        for (const auto& counter : counters) {
            expectSuccess(OTF2_GlobalDefWriter_WriteMetricMember(
                              out, next, string(out, counter.name), string(out, ""), OTF2_METRIC_TYPE_PAPI,
                              counter.mode, counter.type, OTF2_BASE_DECIMAL, counter.exponent,
                              string(out, counter.unit)),
                          counter.name);
            members.push_back(next++);
        }
        expectSuccess(
            OTF2_GlobalDefWriter_WriteMetricClass(out, metric++, static_cast<std::uint8_t>(members.size()),
                                                  members.data(), occurrence, OTF2_RECORDER_KIND_CPU),
            "a class of counters");
    }
    for (std::size_t i = 0; i < trace_.counterInstances_.size(); ++i) {
        const auto& [counters, reader, scope, of] = trace_.counterInstances_[i];
        expectSuccess(
            OTF2_GlobalDefWriter_WriteMetricInstance(out, counterInstanceRef(i), counters, reader, scope, of),
            "counters of somebody");
    }
}

void TraceWriter::writeSamples(OTF2_GlobalDefWriter* out) {
    for (OTF2_CallingContextRef self = 0; self < trace_.contexts_.size(); ++self) {
        const auto& [function, line, parent, file, order] = trace_.contexts_[self];
        if (!file.empty())
            expectSuccess(OTF2_GlobalDefWriter_WriteSourceCodeLocation(out, self, string(out, file), line),
                          "a source line");
        expectSuccess(
            OTF2_GlobalDefWriter_WriteCallingContext(
                out, self, function, !file.empty() ? self : OTF2_UNDEFINED_SOURCE_CODE_LOCATION, parent),
            "a calling context");
        if (order.empty()) continue;
        OTF2_AttributeValue value;
        value.stringRef = string(out, order);
        expectSuccess(OTF2_GlobalDefWriter_WriteCallingContextProperty(out, self, string(out, "CallOrder"),
                                                                       OTF2_TYPE_STRING, value),
                      "the order of calls");
    }
    for (const auto& [self, name] : {std::pair{kCalls, "Calls"}, std::pair{kCallsSpan, "CallsSpan"}})
        expectSuccess(OTF2_GlobalDefWriter_WriteAttribute(out, self, string(out, name), string(out, ""),
                                                          OTF2_TYPE_UINT64),
                      "an attribute");
    if (trace_.tasksMove_)
        expectSuccess(OTF2_GlobalDefWriter_WriteAttribute(out, kTaskNumber, string(out, "GUID"),
                                                          string(out, ""), OTF2_TYPE_UINT64),
                      "an attribute");
    if (trace_.tellsOfExchanges_)
        expectSuccess(
            OTF2_GlobalDefWriter_WriteAttribute(out, kReceivesFromAll, string(out, "ReceivesFromAll"),
                                                string(out, ""), OTF2_TYPE_UINT8),
            "an attribute");
    const auto ofNanoseconds = [&](OTF2_AttributeRef self, const char* name) {
        expectSuccess(OTF2_GlobalDefWriter_WriteAttribute(out, self, string(out, name), string(out, ""),
                                                          OTF2_TYPE_UINT64),
                      "an attribute");
    };
    if (trace_.hasShortage_) {
        ofNanoseconds(kShortage, "WithoutProcessor");
        ofNanoseconds(kTimeOff, "AsleepOrWithoutProcessor");
    }
    if (trace_.tellsTimeouts_) ofNanoseconds(kTimedOut, "TimedOut");
    if (!trace_.contexts_.empty()) {
        const char* const name = trace_.arePathsPredicted_ ? "UnpredictedCallPath" : "CallPath";
        expectSuccess(OTF2_GlobalDefWriter_WriteAttribute(out, kCallPath, string(out, name), string(out, ""),
                                                          OTF2_TYPE_CALLING_CONTEXT),
                      "an attribute");
        expectSuccess(OTF2_GlobalDefWriter_WriteAttribute(out, kSampledContext, string(out, "CallingContext"),
                                                          string(out, ""), OTF2_TYPE_CALLING_CONTEXT),
                      "an attribute");
    }
    for (OTF2_InterruptGeneratorRef self = 0; self < trace_.interrupts_.size(); ++self) {
        const auto& [name, mode, period, exponent] = trace_.interrupts_[self];
        expectSuccess(OTF2_GlobalDefWriter_WriteInterruptGenerator(out, self, string(out, name), mode,
                                                                   OTF2_BASE_DECIMAL, exponent, period),
                      "an interrupt generator");
    }
}

}  // namespace holos::testing
