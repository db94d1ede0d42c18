// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>

#include "analyzer/trace/definitions_builder.h"

namespace holos::analyzer::trace {
namespace {

// OTF2's enumerations in our words and in those of CUBE files.
struct RoleWords {
    OTF2_RegionRole role;
    Role ours;
    const char* name;
};
constexpr std::array kRoles{
    RoleWords{OTF2_REGION_ROLE_UNKNOWN, Role::Unknown, "unknown"},
    RoleWords{OTF2_REGION_ROLE_FUNCTION, Role::Function, "function"},
    RoleWords{OTF2_REGION_ROLE_WRAPPER, Role::Wrapper, "wrapper"},
    RoleWords{OTF2_REGION_ROLE_LOOP, Role::Loop, "loop"},
    RoleWords{OTF2_REGION_ROLE_CODE, Role::Code, "code"},
    RoleWords{OTF2_REGION_ROLE_PARALLEL, Role::Parallel, "parallel"},
    RoleWords{OTF2_REGION_ROLE_SECTIONS, Role::Sections, "sections"},
    RoleWords{OTF2_REGION_ROLE_SECTION, Role::Section, "section"},
    RoleWords{OTF2_REGION_ROLE_WORKSHARE, Role::Workshare, "workshare"},
    RoleWords{OTF2_REGION_ROLE_SINGLE, Role::Single, "single"},
    RoleWords{OTF2_REGION_ROLE_SINGLE_SBLOCK, Role::SingleBlock, "single sblock"},
    RoleWords{OTF2_REGION_ROLE_MASTER, Role::Master, "master"},
    RoleWords{OTF2_REGION_ROLE_CRITICAL, Role::Critical, "critical"},
    RoleWords{OTF2_REGION_ROLE_CRITICAL_SBLOCK, Role::CriticalBlock, "critical sblock"},
    RoleWords{OTF2_REGION_ROLE_ATOMIC, Role::Atomic, "atomic"},
    RoleWords{OTF2_REGION_ROLE_BARRIER, Role::Barrier, "barrier"},
    RoleWords{OTF2_REGION_ROLE_IMPLICIT_BARRIER, Role::ImplicitBarrier, "implicit barrier"},
    RoleWords{OTF2_REGION_ROLE_FLUSH, Role::Flush, "flush"},
    RoleWords{OTF2_REGION_ROLE_ORDERED, Role::Ordered, "ordered"},
    RoleWords{OTF2_REGION_ROLE_ORDERED_SBLOCK, Role::OrderedBlock, "ordered sblock"},
    RoleWords{OTF2_REGION_ROLE_TASK, Role::Task, "task"},
    RoleWords{OTF2_REGION_ROLE_TASK_CREATE, Role::TaskCreate, "task create"},
    RoleWords{OTF2_REGION_ROLE_TASK_WAIT, Role::TaskWait, "taskwait"},
    RoleWords{OTF2_REGION_ROLE_COLL_ONE2ALL, Role::OneToAll, "one2all"},
    RoleWords{OTF2_REGION_ROLE_COLL_ALL2ONE, Role::AllToOne, "all2one"},
    RoleWords{OTF2_REGION_ROLE_COLL_ALL2ALL, Role::AllToAll, "all2all"},
    RoleWords{OTF2_REGION_ROLE_COLL_OTHER, Role::OtherCollective, "other collective"},
    RoleWords{OTF2_REGION_ROLE_FILE_IO, Role::FileIo, "file io"},
    RoleWords{OTF2_REGION_ROLE_POINT2POINT, Role::PointToPoint, "point2point"},
    RoleWords{OTF2_REGION_ROLE_RMA, Role::Rma, "rma"},
    RoleWords{OTF2_REGION_ROLE_DATA_TRANSFER, Role::DataTransfer, "data transfer"},
    RoleWords{OTF2_REGION_ROLE_ARTIFICIAL, Role::Artificial, "artificial"},
    RoleWords{OTF2_REGION_ROLE_THREAD_CREATE, Role::ThreadCreate, "thread create"},
    RoleWords{OTF2_REGION_ROLE_THREAD_WAIT, Role::ThreadWait, "thread wait"},
    RoleWords{OTF2_REGION_ROLE_TASK_UNTIED, Role::Task, "task untied"},
    RoleWords{OTF2_REGION_ROLE_ALLOCATE, Role::Other, "allocate"},
    RoleWords{OTF2_REGION_ROLE_DEALLOCATE, Role::Other, "deallocate"},
    RoleWords{OTF2_REGION_ROLE_REALLOCATE, Role::Other, "reallocate"},
    RoleWords{OTF2_REGION_ROLE_FILE_IO_METADATA, Role::FileIo, "file io metadata"},
    // Of OTF2 3.1, which need not be the installed one.
    RoleWords{static_cast<OTF2_RegionRole>(39), Role::Other, "cancel"},
    RoleWords{static_cast<OTF2_RegionRole>(40), Role::Other, "kernel"},
};

struct ParadigmWords {
    OTF2_Paradigm paradigm;
    Paradigm ours;
    const char* name;
};
constexpr std::array kParadigms{
    ParadigmWords{OTF2_PARADIGM_UNKNOWN, Paradigm::Unknown, "unknown"},
    ParadigmWords{OTF2_PARADIGM_USER, Paradigm::User, "user"},
    ParadigmWords{OTF2_PARADIGM_COMPILER, Paradigm::Compiler, "compiler"},
    ParadigmWords{OTF2_PARADIGM_OPENMP, Paradigm::OpenMp, "openmp"},
    ParadigmWords{OTF2_PARADIGM_MPI, Paradigm::Mpi, "mpi"},
    ParadigmWords{OTF2_PARADIGM_CUDA, Paradigm::Other, "cuda"},
    ParadigmWords{OTF2_PARADIGM_MEASUREMENT_SYSTEM, Paradigm::Measurement, "measurement"},
    ParadigmWords{OTF2_PARADIGM_PTHREAD, Paradigm::Pthread, "pthread"},
    ParadigmWords{OTF2_PARADIGM_OMPSS, Paradigm::Other, "ompss"},
    ParadigmWords{OTF2_PARADIGM_GASPI, Paradigm::Other, "gaspi"},
    ParadigmWords{OTF2_PARADIGM_UPC, Paradigm::Other, "upc"},
    ParadigmWords{OTF2_PARADIGM_SHMEM, Paradigm::Other, "shmem"},
    ParadigmWords{OTF2_PARADIGM_OPENACC, Paradigm::Other, "openacc"},
    ParadigmWords{OTF2_PARADIGM_OPENCL, Paradigm::Other, "opencl"},
    ParadigmWords{OTF2_PARADIGM_SAMPLING, Paradigm::Other, "sampling"},
    ParadigmWords{OTF2_PARADIGM_NONE, Paradigm::Other, "none"},
    ParadigmWords{OTF2_PARADIGM_HIP, Paradigm::Other, "hip"},
    ParadigmWords{OTF2_PARADIGM_KOKKOS, Paradigm::Other, "kokkos"},
    ParadigmWords{static_cast<OTF2_Paradigm>(25), Paradigm::Other, "openmp target"},  // of OTF2 3.1
};

const RoleWords& roleWords(OTF2_RegionRole role) {
    for (const RoleWords& words : kRoles)
        if (words.role == role) return words;
    return kRoles[0];
}

const ParadigmWords& paradigmWords(OTF2_Paradigm paradigm) {
    for (const ParadigmWords& words : kParadigms)
        if (words.paradigm == paradigm) return words;
    return kParadigms[0];
}

}  // namespace

Paradigm toParadigm(OTF2_Paradigm paradigm) {
    return paradigmWords(paradigm).ours;
}
Role toRole(OTF2_RegionRole role) {
    return roleWords(role).ours;
}
std::string paradigmName(OTF2_Paradigm paradigm) {
    return paradigmWords(paradigm).name;
}
std::string roleName(OTF2_RegionRole role) {
    return roleWords(role).name;
}

// Cartesian topologies.
void DefinitionsBuilder::addGridDimension(OTF2_CartDimensionRef self, Grid::Dimension dimension) {
    gridDimensions_[self] = std::move(dimension);
}

void DefinitionsBuilder::addGrid(OTF2_CartTopologyRef self, OTF2_StringRef name, OTF2_CommRef comm,
                                 std::vector<OTF2_CartDimensionRef> dimensions) {
    pendingGrids_[self] = {name, comm, std::move(dimensions), {}};
}

void DefinitionsBuilder::addPlace(OTF2_CartTopologyRef grid, std::uint32_t rank,
                                  std::vector<std::uint32_t> position) {
    if (const auto found = pendingGrids_.find(grid); found != pendingGrids_.end())
        found->second.places[rank] = std::move(position);
}

/// Nothing where it refers to what is not defined, or a place lies outside.
std::optional<Grid> DefinitionsBuilder::resolve(const PendingGrid& pending) const {
    const auto comm = definitions_.commOf.find(pending.comm);
    if (!comm) return std::nullopt;
    const Comm& members = definitions_[*comm];
    Grid grid{text(pending.name), members.paradigm, {}, {}};
    for (const auto reference : pending.dimensions) {
        const auto dimension = gridDimensions_.find(reference);
        if (dimension == gridDimensions_.end()) return std::nullopt;
        grid.dimensions.push_back(dimension->second);
    }
    const auto isOutside = [](std::uint32_t at, const Grid::Dimension& along) { return at >= along.size; };
    for (const auto& [rank, position] : pending.places) {
        if (rank >= members.members.size() || position.size() != grid.dimensions.size() ||
            !std::equal(position.begin(), position.end(), grid.dimensions.begin(), std::not_fn(isOutside)))
            return std::nullopt;
        grid.places.push_back({members.members[rank], position});
    }
    return grid;
}

void DefinitionsBuilder::resolveGrids() {
    for (const auto& [self, pending] : pendingGrids_) {
        if (auto grid = resolve(pending))
            definitions_.grids.push_back(std::move(*grid));
        else
            definitions_.problems.push_back("topology " + std::to_string(self) +
                                            " is incomplete and was left out");
    }
}

// What a writer says of nodes and locations besides: texts and whole numbers; values of other types are left
// out.
std::optional<std::string> DefinitionsBuilder::textOf(OTF2_Type type, OTF2_AttributeValue value) const {
    switch (type) {
        case OTF2_TYPE_STRING: {
            const auto at = definitions_.stringOf.find(value.stringRef);
            return at ? std::optional(definitions_.strings[at->index()]) : std::nullopt;
        }
        case OTF2_TYPE_UINT32:
            return std::to_string(value.uint32);
        case OTF2_TYPE_UINT64:
            return std::to_string(value.uint64);
        case OTF2_TYPE_INT32:
            return std::to_string(value.int32);
        case OTF2_TYPE_INT64:
            return std::to_string(value.int64);
        default:
            return std::nullopt;
    }
}

void DefinitionsBuilder::add(Properties& to, OTF2_StringRef name, OTF2_Type type,
                             OTF2_AttributeValue value) const {
    if (!definitions_.stringOf.find(name)) return;
    if (auto found = textOf(type, value)) to.emplace_back(text(name), std::move(*found));
}

void DefinitionsBuilder::addNodeProperty(OTF2_SystemTreeNodeRef node, OTF2_StringRef name, OTF2_Type type,
                                         OTF2_AttributeValue value) {
    if (const auto at = systemNodeOf_.find(node))
        add(definitions_.systemNodes[at->index()].properties, name, type, value);
}

void DefinitionsBuilder::addLocationProperty(OTF2_LocationRef location, OTF2_StringRef name, OTF2_Type type,
                                             OTF2_AttributeValue value) {
    if (const auto at = locationOf_.find(location))
        add(definitions_.locations[at->index()].properties, name, type, value);
}

// Calling contexts and their source lines.
void DefinitionsBuilder::addSourceLine(OTF2_SourceCodeLocationRef self, OTF2_StringRef file,
                                       std::uint32_t line) {
    const std::string number = line != 0 ? ':' + std::to_string(line) : std::string();
    Region region;
    region.file = text(file);
    region.name = std::filesystem::path(region.file).filename().string() + number;
    region.canonicalName = region.file + number;
    region.beginLine = region.endLine = line;
    region.role = Role::Code;
    region.paradigm = toParadigm(OTF2_PARADIGM_SAMPLING);
    region.roleName = roleName(OTF2_REGION_ROLE_CODE);
    region.paradigmName = paradigmName(OTF2_PARADIGM_SAMPLING);
    const auto [known, isNew] = siteOf_.try_emplace({region.file, line}, definitions_.callSites.size());
    if (isNew) definitions_.callSites.push_back({region.file, line});
    siteOfLine_.add(self, known->second);
    regionOfLine_.add(self, RegionId(definitions_.regions.size()));
    definitions_.regions.push_back(std::move(region));
}

/// Callers are defined before what they call, so that there are no circles.
void DefinitionsBuilder::addCallingContext(OTF2_CallingContextRef self, OTF2_RegionRef region,
                                           OTF2_SourceCodeLocationRef line, OTF2_CallingContextRef parent) {
    CallingContext context;
    context.region = definitions_.regionOf.findOr(region, kUndefinedRegion);
    context.line = regionOfLine_.find(line);
    context.site = siteOfLine_.findOr(line, kNoSite);
    context.parent = definitions_.callingContextOf.find(parent);
    if (context.region == kUndefinedRegion) ++contextsWithoutFunction_;
    if (!context.parent && parent != OTF2_UNDEFINED_CALLING_CONTEXT) ++contextsWithoutCaller_;
    SiteId calledAt = kNoSite;
    if (context.parent) {
        context.frame = definitions_[*context.parent].frame;
        context.depth = definitions_[*context.parent].depth + 1;
        calledAt = definitions_[*context.parent].site;
    }
    // The body of a construct that a compiler made a function of is part of the function around it.
    if (definitions_[context.region].paradigm != Paradigm::OpenMp)
        context.frame = definitions_.frames.add(context.frame, context.region, calledAt);
    definitions_.callingContextOf.add(self, ContextId(definitions_.callingContexts.size()));
    definitions_.callingContexts.push_back(context);
}

void DefinitionsBuilder::addContextProperty(OTF2_CallingContextRef self, OTF2_StringRef name, OTF2_Type type,
                                            OTF2_AttributeValue value) {
    const auto context = definitions_.callingContextOf.find(self);
    if (!context || type != OTF2_TYPE_STRING || text(name) != "CallOrder") return;
    definitions_.callingContexts[context->index()].order = CallOrder(text(value.stringRef));
}

void DefinitionsBuilder::reportContexts() {
    if (contextsWithoutFunction_ != 0)
        definitions_.problems.push_back(std::to_string(contextsWithoutFunction_) +
                                        " calling contexts name functions that are not defined");
    if (contextsWithoutCaller_ != 0)
        definitions_.problems.push_back(
            std::to_string(contextsWithoutCaller_) +
            " calling contexts name callers that are not defined before them; they count as outermost");
    if (definitions_.frames.isCut())
        definitions_.problems.push_back("calling contexts are deeper than " +
                                        std::to_string(FrameTree::kDeepest) +
                                        " calls; what is called there counts for its caller");
}

}  // namespace holos::analyzer::trace
