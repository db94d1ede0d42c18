// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "analyzer/trace/definitions.h"

namespace holos::analyzer::trace {

/// Takes OTF2's global definitions in their order and makes our tables of them. Only for this folder.
class DefinitionsBuilder {
  public:
    DefinitionsBuilder();

    void addString(OTF2_StringRef self, const char* text);
    void setClock(std::uint64_t resolution, std::uint64_t offset, std::uint64_t length);
    void addSystemNode(OTF2_SystemTreeNodeRef self, OTF2_StringRef name, OTF2_StringRef className,
                       OTF2_SystemTreeNodeRef parent);
    void addProcess(OTF2_LocationGroupRef self, OTF2_StringRef name, OTF2_LocationGroupType type,
                    OTF2_SystemTreeNodeRef node);
    void addLocation(OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type, std::uint64_t events,
                     OTF2_LocationGroupRef group);
    void addNodeProperty(OTF2_SystemTreeNodeRef node, OTF2_StringRef name, OTF2_Type type,
                         OTF2_AttributeValue value);
    void addLocationProperty(OTF2_LocationRef location, OTF2_StringRef name, OTF2_Type type,
                             OTF2_AttributeValue value);
    void addRegion(OTF2_RegionRef self, Region region);
    void addGroup(OTF2_GroupRef self, OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag flags,
                  std::vector<std::uint64_t> members);
    void addComm(OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group, OTF2_GroupRef remoteGroup);
    void addFile(OTF2_IoFileRef self, OTF2_StringRef name);
    void addFileHandle(OTF2_IoHandleRef self, OTF2_IoFileRef file, OTF2_CommRef comm);
    void addAttribute(OTF2_AttributeRef self, OTF2_StringRef name, OTF2_Type type);
    void addWindow(OTF2_RmaWinRef self, OTF2_StringRef name, OTF2_CommRef comm);
    void addGridDimension(OTF2_CartDimensionRef self, Grid::Dimension dimension);
    void addGrid(OTF2_CartTopologyRef self, OTF2_StringRef name, OTF2_CommRef comm,
                 std::vector<OTF2_CartDimensionRef> dimensions);
    void addPlace(OTF2_CartTopologyRef grid, std::uint32_t rank, std::vector<std::uint32_t> position);
    void addMetricMember(OTF2_MetricMemberRef self, MetricMember member);
    void addMetricClass(OTF2_MetricRef self, const OTF2_MetricMemberRef* members, std::uint8_t count);
    void addMetricInstance(OTF2_MetricRef self, OTF2_MetricRef metricClass, OTF2_LocationRef reader,
                           OTF2_MetricScope scope, std::uint64_t part);
    /// What its samples are worth: `period`, in seconds or in occurrences of what the generator counts.
    void addInterruptGenerator(OTF2_InterruptGeneratorRef self, OTF2_StringRef name, bool isTime,
                               double period);
    void addSourceLine(OTF2_SourceCodeLocationRef self, OTF2_StringRef file, std::uint32_t line);
    void addCallingContext(OTF2_CallingContextRef self, OTF2_RegionRef region,
                           OTF2_SourceCodeLocationRef line, OTF2_CallingContextRef parent);
    void addContextProperty(OTF2_CallingContextRef self, OTF2_StringRef name, OTF2_Type type,
                            OTF2_AttributeValue value);

    const std::string& text(std::uint64_t reference) const { return definitions_.text(reference); }

    /// Orders processes and locations, resolves groups. Call once, at the end.
    Definitions finish();

  private:
    struct Group {
        OTF2_GroupType type;
        OTF2_Paradigm paradigm;
        OTF2_GroupFlag flags;
        std::vector<std::uint64_t> members;
    };
    struct PendingComm {
        OTF2_GroupRef group;
        OTF2_GroupRef remoteGroup;
    };
    struct PendingWindow {
        OTF2_RmaWinRef self;
        OTF2_StringRef name;
        OTF2_CommRef comm;
    };
    struct PendingReading {
        MetricClassId metricClass;
        OTF2_LocationRef reader;
        OTF2_MetricScope scope;
        std::uint64_t part;
    };
    struct PendingHandle {
        OTF2_IoHandleRef self;
        OTF2_IoFileRef file;
        OTF2_CommRef comm;
    };
    struct PendingGrid {
        OTF2_StringRef name;
        OTF2_CommRef comm;
        std::vector<OTF2_CartDimensionRef> dimensions;
        std::map<std::uint32_t, std::vector<std::uint32_t>> places;  ///< by rank
    };
    void reportContexts();
    std::optional<std::string> textOf(OTF2_Type type, OTF2_AttributeValue value) const;
    void add(Properties& to, OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value) const;
    void nameThreadsOfProcesses();
    void orderProcesses();
    void orderLocations();
    void resolveComms();
    MemberId newMember(MetricMember member);
    void resolveWindows();
    void resolveFiles();
    /// A communicator of its own with the same members.
    CommId addCopy(CommId comm, const std::string& name);
    void resolveGroups();
    void resolveReadings();
    std::vector<LocationId> threadsOf(const PendingReading& reading);
    std::set<LocationId> locationsOf(std::uint64_t group);
    void resolveGrids();
    std::optional<Grid> resolve(const PendingGrid& pending) const;
    std::vector<LocationId> membersOf(const Group& group);
    const Group* commLocations(OTF2_Paradigm paradigm) const;

    Definitions definitions_;
    References<SystemNodeId> systemNodeOf_;
    References<ProcessId> processOf_;
    References<LocationId> locationOf_;
    References<MemberId> memberOf_;
    References<RegionId> regionOfLine_;
    References<SiteId> siteOfLine_;
    std::map<std::pair<std::string, std::uint32_t>, SiteId> siteOf_{{{{}, 0}, kNoSite}};
    std::size_t contextsWithoutFunction_ = 0;
    std::size_t contextsWithoutCaller_ = 0;
    std::unordered_map<std::string, RegionId> regionOfName_;  ///< the first of that name
    std::optional<MemberId> samples_;  ///< the metric that counts them, whatever generates them
    std::map<OTF2_GroupRef, Group> groups_;
    std::map<OTF2_Paradigm, Group> commLocations_;
    std::vector<PendingComm> pendingComms_;
    std::vector<PendingWindow> pendingWindows_;
    std::vector<PendingHandle> pendingHandles_;
    std::vector<PendingReading> pendingReadings_;
    std::map<OTF2_IoFileRef, std::string> fileNames_;
    std::map<OTF2_CartDimensionRef, Grid::Dimension> gridDimensions_;
    std::map<OTF2_CartTopologyRef, PendingGrid> pendingGrids_;
};

Paradigm toParadigm(OTF2_Paradigm paradigm);
Role toRole(OTF2_RegionRole role);
/// The words that CUBE files use.
std::string paradigmName(OTF2_Paradigm paradigm);
std::string roleName(OTF2_RegionRole role);

}  // namespace holos::analyzer::trace
