// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tracing/recordings/archive/code_names/sampled_code.h"
#include "tracing/recordings/archive/definitions/definition_texts.h"
#include "tracing/recordings/archive/definitions/hardware_properties.h"
#include "tracing/recordings/archive/plan/trace_plan.h"

namespace holos::archive {

struct ClockRange {
    std::uint64_t begin = 0;  ///< nanoseconds
    std::uint64_t length = 0;
    std::uint64_t realtime = OTF2_UNDEFINED_TIMESTAMP;  ///< nanoseconds since 1970 at `begin`
};

/// Writes the global definitions of a plan, after Score-P's conventions: machine and nodes, processes
/// `MPI Rank N` whose id is the rank, their locations, groups and communicators of MPI and of thread teams.
class DefinitionsWriter {
  public:
    /// Texts of more than `longestText` bytes are cut.
    DefinitionsWriter(OTF2_GlobalDefWriter* out, const TracePlan& plan, SampledCode& code,
                      std::size_t longestText)
        : out_(out), plan_(plan), code_(code), texts_(out, longestText) {}

    /// `hasPolls`: enters stand for several polls.
    void write(const ClockRange& clock, const std::map<std::uint64_t, std::uint64_t>& eventsByLocation,
               bool hasPolls);

    /// Which texts had to be cut, for people.
    const std::vector<std::string>& notes() const { return texts_.notes(); }

    /// The number of the text that names the first of the plan's programs, which the others follow; the
    /// events need it before the definitions are written.
    static constexpr OTF2_StringRef kFirstProgram = 0;
    /// The number of the first of the plan's groups: the one before it has all ranks.
    static constexpr OTF2_GroupRef kFirstGroup = 1;
    /// The root of the system tree.
    static constexpr OTF2_SystemTreeNodeRef kMachine = 0;
    /// MPI's files, the only ones.
    static constexpr OTF2_IoParadigmRef kMpiFiles = 0;
    /// What tells at an enter which calls led there. Readers want attributes without gaps, here and below.
    static constexpr OTF2_AttributeRef kCallPath = 0;
    /// What tells where a sample of the call stack was taken.
    static OTF2_AttributeRef sampledContext(const TracePlan& plan) { return hasCallPaths(plan) ? 1 : 0; }
    /// What tells at the leave of a call which file it was about, of all who have that open.
    static OTF2_AttributeRef collectiveHandle(const TracePlan& plan) {
        return sampledContext(plan) + (plan.interrupts ? 1 : 0);
    }
    /// What tells at an enter or a leave how long the location had no processor before; the next one tells
    /// how long it had none or slept.
    static OTF2_AttributeRef shortage(const TracePlan& plan) {
        return collectiveHandle(plan) + (plan.files.empty() ? 0 : 1);
    }
    /// What tells at an enter how many polls it stands for; the next one tells the time that they are spread
    /// over.
    static OTF2_AttributeRef polls(const TracePlan& plan) {
        return timeout(plan) + (plan.waitsWithTimeout ? 1 : 0);
    }
    /// What tells at the leave of a call that its timeout ended it.
    static OTF2_AttributeRef timeout(const TracePlan& plan) {
        return fromAll(plan) + (plan.exchangesUnequally ? 1 : 0);
    }
    /// What tells at the end of an operation such as MPI_Alltoallv that the rank received from all others.
    static OTF2_AttributeRef fromAll(const TracePlan& plan) {
        return shortage(plan) + (plan.watchesShortage ? 2 : 0);
    }

  private:
    OTF2_StringRef string(std::string_view text) { return texts_.numberOf(text); }
    void writeParadigms();
    void writeSystem(const std::map<std::uint64_t, std::uint64_t>& eventsByLocation);
    void writeRegions();
    /// Scalasca looks for a region of each program that a ProgramBegin names. Behind all others, which events
    /// name.
    void writeProgram(const std::string& executable);
    void writeRegion(const RecordedRegion& region, OTF2_Paradigm paradigm);
    void writeCounters();
    void writeSampled();
    std::vector<OTF2_MetricMemberRef> writeMembers(const std::vector<RecordedCounter>& counters);
    void writeMetrics();
    void writeParameters();
    void writeSamples();
    void writeCallingContexts();
    void writeComms();
    void writeMpiComm(OTF2_CommRef ref, const TraceComm& comm);
    void writeGrids();
    void writeWindows();
    void writeFiles();
    void writeShortage();
    void writePolls();
    void writeFromAll();
    void writeTimeout();
    OTF2_GroupRef writeGroup(OTF2_GroupType type, OTF2_Paradigm paradigm,
                             const std::vector<std::uint64_t>& members);
    /// The locations that take part in a paradigm: groups give its members by their place in this list.
    void writeParadigmLocations(OTF2_Paradigm paradigm, TraceGroup::Kind kind);
    void writeThreadComm(OTF2_CommRef ref, const TraceComm& comm, OTF2_Paradigm paradigm);

    OTF2_GlobalDefWriter* out_;
    const TracePlan& plan_;
    SampledCode& code_;
    DefinitionTexts texts_;
    OTF2_RegionRef nextRegion_ = 0;
    std::map<std::vector<std::uint64_t>, OTF2_GroupRef> groups_;  ///< with type and paradigm in front
    std::map<std::pair<OTF2_Paradigm, std::uint64_t>, std::uint64_t> placeInParadigm_;
    NodesByHost nodes_;  ///< by host
    OTF2_GroupRef nextGroup_ = 0;
    OTF2_MetricMemberRef nextMember_ = 0;
};

}  // namespace holos::archive
