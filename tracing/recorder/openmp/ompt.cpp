// SPDX-License-Identifier: BSD-3-Clause
// The OMPT tool, for runtimes that report what they do: clang's and flang's programs.
//
// A worker is reported to leave the barrier at the end of a parallel region only when it gets the next one to
// work on, so the end of its share is taken from where it enters that barrier (`team.h`).
#include "tracing/recorder/openmp/ompt.h"

#include <utility>

#include "tracing/recorder/core/filtering.h"
#include "tracing/recorder/core/openmp_reports.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/openmp/gomp.h"
#include "tracing/recorder/openmp/team.h"

namespace holos::tracing::openmp {
namespace {

using namespace ompt;

/// A parallel region that the calling thread is the master of.
struct Master {
    ParallelRegion parallel;
    const void* address;
    bool isLeague;  ///< it is the teams of `teams`
    bool hasBegun;  ///< such a one's first team has
};
struct Masters {
    static constexpr std::uint32_t kMost = 16;
    std::uint32_t depth;
    Master regions[kMost];
};
thread_local Masters masters __attribute__((tls_model("initial-exec")));

/// Each team of `teams` begins with a region in which its first thread alone runs the program's function: no
/// construct of the program.
bool isMadeByRuntime(const void* address) {
    return address == nullptr;
}

void onParallelBegin(ompt_data_t*, const void*, ompt_data_t* parallel, unsigned size, int flags,
                     const void* address) {
    parallel->ptr = nullptr;
    if (!recording() || isMadeByRuntime(address)) return;
    if (masters.depth++ >= Masters::kMost) return;
    Master& master = masters.regions[masters.depth - 1];
    const bool isLeague = (flags & kLeague) != 0;
    const Construct construct = isLeague ? Construct::Teams : Construct::Parallel;
    master = {beginParallel(construct, address, size, pathHere()), address, isLeague, false};
    parallel->ptr = &master;
}

void onParallelEnd(ompt_data_t* parallel, ompt_data_t*, int, const void* address) {
    if (masters.depth == 0 || isMadeByRuntime(address)) return;
    if (parallel->ptr != nullptr)
        endParallel(static_cast<const Master*>(parallel->ptr)->parallel);
    else if (masters.depth <= Masters::kMost)
        return;  // it began while nothing was recorded
    --masters.depth;
}

/// The `teams` of one team that the calling thread is about to begin: such a team is not said to belong to
/// it.
Master* loneTeam() {
    if (masters.depth == 0 || masters.depth > Masters::kMost) return nullptr;
    Master& innermost = masters.regions[masters.depth - 1];
    return innermost.isLeague && !innermost.hasBegun ? &innermost : nullptr;
}

/// An implicit task's data is its region until its share is done.
void onImplicitTask(int endpoint, ompt_data_t* parallel, ompt_data_t* task, unsigned, unsigned index,
                    int flags) {
    if (endpoint == kBegin) {
        auto* region = parallel != nullptr ? static_cast<Master*>(parallel->ptr) : nullptr;
        if (region == nullptr && (flags & kInitialTask) != 0) region = loneTeam();
        task->ptr = region;
        if (region == nullptr) return;
        if (index == 0) region->hasBegun = true;
        beginShare(region->parallel, index);
    } else if (task->ptr != nullptr) {  // a team of one has no barrier
        finishShare(static_cast<const Master*>(task->ptr)->parallel, index);
        task->ptr = nullptr;
    }
}

bool isMasterOf(const Master& region) {
    return &region >= masters.regions && &region < masters.regions + Masters::kMost;
}

/// True when the barrier is the one at the end of the task's parallel region. Older runtimes call all
/// implicit barriers the same: that one has no address on workers and the region's own on the master.
bool isEndOfShare(int kind, const Master& region, const void* address) {
    if (kind == kBarrierImplicitParallel || kind == kBarrierTeams) return true;
    return kind == kBarrierImplicit && (address == nullptr || address == region.address);
}

Construct constructOf(int kind) {
    switch (kind) {
        case kBarrier:
        case kBarrierExplicit:
        case kBarrierImplementation:
            return Construct::Barrier;
        case kBarrierImplicit:
        case kBarrierImplicitWorkshare:
            return Construct::ImplicitBarrier;
        case kSyncTaskwait:
            return Construct::Taskwait;
        case kSyncTaskgroup:
            return Construct::Taskgroup;
        default:
            return Construct::Count;
    }
}

void onSyncRegion(int kind, int endpoint, ompt_data_t* parallel, ompt_data_t* task, const void* address) {
    if (parallel == nullptr || task == nullptr) return;  // the end of a share's barrier
    const bool isExplicit = (task->value & 1) != 0;
    const auto* const region = isExplicit ? nullptr : static_cast<const Master*>(task->ptr);
    if (region != nullptr && isEndOfShare(kind, *region, address)) {
        task->ptr = nullptr;
        return finishShare(region->parallel, isMasterOf(*region) ? 0 : 1);
    }
    const Construct construct = constructOf(kind);
    if (outerCaller != nullptr) address = outerCaller;
    if (construct == Construct::Count || address == nullptr) return;
    if (construct == Construct::Taskgroup)  // its end has another address
        return endpoint == kBegin ? beginWork(construct, address) : endWork();
    if (endpoint == kBegin)
        enter(regionAt(construct, address));
    else
        leave(regionAt(construct, address));
}

/// True for the start of a construct whose end will not be reported.
bool isWithoutEnd(int kind, int endpoint) {
    const bool isSingle = kind == kSingleExecutor || kind == kSingleOther;
    return isSingle && endpoint == kBegin && std::exchange(singleHasNoEnd, false) && kind == kSingleExecutor;
}

Construct constructOfWork(int kind) {
    switch (kind) {
        case kLoop:
        case kLoopStatic:
        case kLoopDynamic:
        case kLoopGuided:
        case kLoopOther:
            return Construct::Loop;
        case kSections:
            return Construct::Sections;
        case kSingleExecutor:
        case kSingleOther:
            return Construct::Single;
        case kWorkshare:
            return Construct::Workshare;
        case kDistribute:
            return Construct::Distribute;
        default:
            return Construct::Count;
    }
}

/// The end of a loop of `distribute parallel for` is told as that of its `distribute`: the innermost ends.
void onWork(int kind, int endpoint, ompt_data_t*, ompt_data_t*, std::uint64_t, const void* address) {
    const Construct construct = constructOfWork(kind);
    if (construct == Construct::Count || !recording()) return;
    if (isWithoutEnd(kind, endpoint)) {
        const RegionRef region = regionAt(Construct::Single, address);
        enter(region);
        return leave(region);
    }
    if (endpoint != kEnd) beginWork(construct, address);
    if (endpoint != kBegin) endWork();
}

void onMasked(int endpoint, ompt_data_t*, ompt_data_t*, const void* address) {
    if (!recording()) return;
    if (endpoint == kBegin)
        beginWork(Construct::Master, address);
    else
        endWork();
}

void onOrderedWait(int kind, unsigned, unsigned, std::uint64_t, const void* address) {
    if (kind == kOrdered && recording()) beginWork(Construct::Ordered, address);
}
void onOrderedBegin(int kind, std::uint64_t, const void* address) {
    if (kind == kOrdered && recording()) beginWork(Construct::OrderedBlock, address);
}
void onOrderedEnd(int kind, std::uint64_t, const void*) {
    if (kind != kOrdered || !recording()) return;
    endWork();
    endWork();
}

int initialize(ompt_function_lookup_t lookup, int, ompt_data_t*) {
    reportingRuntime = reinterpret_cast<const void*>(lookup);
    const auto set = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
    if (set == nullptr) return 0;
    core::expectBodiesOfConstructs();
    core::openMpReports();
    taskInfo = reinterpret_cast<ompt_get_task_info_t>(lookup("ompt_get_task_info"));
    const auto report = [set](Event event, auto* callback) {
        set(event, reinterpret_cast<ompt_callback_t>(callback));
    };
    report(kParallelBegin, &onParallelBegin);
    report(kParallelEnd, &onParallelEnd);
    report(kImplicitTask, &onImplicitTask);
    report(kTaskCreate, &onTaskCreate);
    report(kTaskSchedule, &onTaskSchedule);
    report(kSyncRegion, &onSyncRegion);
    report(kWork, &onWork);
    report(kMasked, &onMasked);
    report(kMutexAcquire, &onOrderedWait);
    report(kMutexAcquired, &onOrderedBegin);
    report(kMutexReleased, &onOrderedEnd);
    return 1;
}

void finalize(ompt_data_t*) {}

}  // namespace

thread_local const void* outerCaller __attribute__((tls_model("initial-exec"))) = nullptr;
const void* reportingRuntime = nullptr;
ompt_get_task_info_t taskInfo = nullptr;

}  // namespace holos::tracing::openmp

/// The barrier of a construct that may be cancelled.
HOLOS_INTERPOSED int __kmpc_cancel_barrier(void* place, int thread) {
    using namespace holos::tracing::openmp;
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<int(void*, int), "__kmpc_cancel_barrier">(caller);
    outerCaller = caller;
    const int isCancelled = next(place, thread);
    outerCaller = nullptr;
    return isCancelled;
}

/// Called by an OpenMP runtime when it begins, to ask for a tool. Where we do not record, another tool may.
HOLOS_INTERPOSED ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char* runtime) {
    using namespace holos::tracing;
    static ompt_start_tool_result_t result{&openmp::initialize, &openmp::finalize, {0}};
    core::begin();  // the runtime may begin in a constructor of a library
    if (core::recordingIsOpen.load(std::memory_order_relaxed)) return &result;
    using Start = ompt_start_tool_result_t*(unsigned, const char*);
    return openmp::original<Start, "ompt_start_tool">(__builtin_return_address(0))(version, runtime);
}
