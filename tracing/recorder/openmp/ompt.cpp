// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/openmp/ompt.h"

// Tasks of programs whose runtime reports by OMPT.
#include <new>
#include <utility>

#include "tracing/recorder/core/filtering.h"
#include "tracing/recorder/core/open_call.h"
#include "tracing/recorder/core/openmp_reports.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/openmp/constructs.h"
#include "tracing/recorder/openmp/gomp.h"
#include "tracing/recorder/openmp/team.h"

namespace holos::tracing::openmp {
namespace {

using namespace ompt;

/// What an explicit task's data points to.
struct Record {
    Task task;
    WorkOnTask around;    ///< what its thread works on when it leaves the task
    const void* address;  ///< behind the call that created it
    bool hasBegun;        ///< its region was entered, in the thread that works on it
    bool isTold;          ///< that it was created is recorded, so that its switches and its end are
};

constexpr unsigned kExplicit = 1;  ///< added to the address: other tasks' data means something else

Record* recordOf(const ompt_data_t* task) {
    if (task == nullptr || (task->value & kExplicit) == 0) return nullptr;
    return reinterpret_cast<Record*>(static_cast<char*>(task->ptr) - kExplicit);
}

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

/// Behind the call of a construct. A compiler makes a jump of a function's last call, which then returns into
/// the runtime: it is told to stand where the task or the parallel region does that the function was made of.
const void* placeOf(const void* address, const ompt_data_t& task) {
    if (!interpose::areOfOneLibrary(address, reportingRuntime)) return address;
    if (const Record* const record = recordOf(&task); record != nullptr) return record->address;
    const auto* const region = static_cast<const Master*>(task.ptr);
    return region != nullptr ? region->address : address;
}

void onSyncRegion(int kind, int endpoint, ompt_data_t* parallel, ompt_data_t* task, const void* address) {
    if (parallel == nullptr || task == nullptr) return;  // the end of a share's barrier
    const bool isExplicit = recordOf(task) != nullptr;
    const auto* const region = isExplicit ? nullptr : static_cast<const Master*>(task->ptr);
    if (region != nullptr && isEndOfShare(kind, *region, address)) {
        task->ptr = nullptr;
        return finishShare(region->parallel, isMasterOf(*region) ? 0 : 1);
    }
    const Construct construct = constructOf(kind);
    if (outerCaller != nullptr) address = outerCaller;
    if (construct == Construct::Count || address == nullptr) return;
    address = placeOf(address, *task);
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
    if (kind == kOrdered && recording()) beginTurn(address);
}
void onOrderedEnd(int kind, std::uint64_t, const void*) {
    if (kind != kOrdered || !recording()) return;
    endTurn();
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

namespace holos::tracing::openmp {
namespace {

/// The team in whose closing barrier the calling thread works on a task; 0 elsewhere.
thread_local TeamRef resumed __attribute__((tls_model("initial-exec"))) = 0;

/// The calling thread is in no team of the program's and works on one of its tasks.
thread_local bool helps __attribute__((tls_model("initial-exec"))) = false;

/// Where the loop stands whose parts the calling thread makes tasks of: the runtime reports a place within
/// itself for them. Null elsewhere.
thread_local const void* loop __attribute__((tls_model("initial-exec"))) = nullptr;

/// What the next task that the calling thread creates runs, where that is a `target nowait`; else null.
/// Threads of the runtime system may run it, which are in no team: what they do for it is part of a region,
/// and not of a task.
thread_local const char* target __attribute__((tls_model("initial-exec"))) = nullptr;

/// The end of the stack that the calling thread's present task has; `otherwise` where the runtime does not
/// say.
const void* endOfTask(const void* otherwise) {
    ompt_frame_t* frame = nullptr;
    if (taskInfo == nullptr || taskInfo(0, nullptr, nullptr, &frame, nullptr, nullptr) == 0) return otherwise;
    return frame != nullptr && frame->exit_frame.ptr != nullptr ? frame->exit_frame.ptr : otherwise;
}

/// Has the calling thread record what it does as part of a task.
void comeBack(const Task& task) {
    if (resumeShare(task.id.team)) {
        resumed = task.id.team;
    } else if (beginHelp()) {
        helps = true;
        markTime();
    }
}

/// `frame`: of the callback that tells so.
void workOn(Record& record, const void* frame) {
    const Task& task = record.task;
    comeBack(task);
    if (!record.isTold && task.id.team != 0 && !helps) {
        taskCreate(task.id);
        record.isTold = true;
    }
    if (record.isTold) taskSwitch(task.id);
    if (!record.hasBegun) enterAtMark(task.region(), task.construct.created);
    record.hasBegun = true;
    if (presentTask() != &task) record.around = workOnTask(task, endOfTask(frame));
}

/// An untied task that is not complete may go on in another thread.
void leaveStack(Record& record, bool isComplete) {
    goOnWith(record.around);
    if (isComplete || !record.hasBegun) return;
    leaveAtMark(record.task.region());
    record.hasBegun = false;
}

void workOnShare() {
    if (const TaskId own = ownTask(); own.team != 0) taskSwitch(own);
    if (resumed != 0) suspendShare(resumed);
    resumed = 0;
    if (std::exchange(helps, false)) endHelp();
}

void complete(ompt_data_t& task) {
    const Record* const record = recordOf(&task);
    if (record->hasBegun) leaveAtMark(record->task.region());
    if (record->isTold) taskComplete(record->task.id);
    delete record;
    task.ptr = nullptr;
}

/// Whatever the calling thread does, an event is fulfilled in it that a task had to wait for to be complete.
/// The task itself has ended before.
void completeDetached(ompt_data_t& task) {
    if (recordOf(&task) == nullptr) return;
    markTime();
    complete(task);
}

/// Outside of all parallel regions only what the runtime gives to threads of its own is told apart from what
/// creates it.
Task taskOf(const void* address, PathRef path, int flags) {
    Task made = makeTask(address, path);
    if (made.id.team == 0 && (flags & kUndeferredTask) == 0 && recording())
        made.construct = {regionAt(Construct::Task, address), path};
    return made;
}

}  // namespace

void onTaskCreate(ompt_data_t*, const void*, ompt_data_t* task, int flags, int,
                  const void* address) noexcept {
    if ((flags & (kExplicitTask | kTargetTask)) == 0) return;
    task->ptr = nullptr;
    if (loop != nullptr) address = loop;
    const char* const body = std::exchange(target, nullptr);
    if (body != nullptr) address = body + 1;  // the call has no line, but its function has
    const PathRef path = pathHere();
    const Task made = taskOf(address, path, flags);
    if (made.region() == 0) return;
    const bool isTold = made.id.team != 0 && body == nullptr;
    auto* const record = new (std::nothrow) Record{made, {}, address, false, isTold};
    if (record == nullptr) return;
    task->ptr = reinterpret_cast<char*>(record) + kExplicit;
    const RegionRef region = regionAt(Construct::TaskCreate, address);
    markTime();
    enterAtMark(region, path);
    if (isTold) taskCreate(made.id);
    leaveAtMark(region);
}

void onTaskSchedule(ompt_data_t* prior, int status, ompt_data_t* next) noexcept {
    if (status == kTaskEarlyFulfill) return;
    if (status == kTaskLateFulfill) return completeDetached(*prior);
    Record* const before = recordOf(prior);
    Record* const after = recordOf(next);
    if (before != nullptr || after != nullptr) markTime();
    const bool isComplete = status == kTaskComplete || status == kTaskCancel;
    // A task that is not left is interrupted by the next one, and stays on the stack.
    const bool isLeft = before != nullptr && presentTask() == &before->task &&
                        (isComplete || after == nullptr || before->around.task == &after->task);
    if (isLeft) leaveStack(*before, isComplete);
    if (before != nullptr && isComplete) complete(*prior);
    if (after != nullptr)
        workOn(*after, HOLOS_OWN_FRAME());
    else if (before != nullptr)
        workOnShare();
}

}  // namespace holos::tracing::openmp

using namespace holos::tracing::openmp;

HOLOS_INTERPOSED void* __kmpc_omp_target_task_alloc(void* place, int thread, int flags, std::size_t size,
                                                    std::size_t sharedSize, void* body, std::int64_t device) {
    using Allocate = void*(void*, int, int, std::size_t, std::size_t, void*, std::int64_t);
    auto* const next = original<Allocate, "__kmpc_omp_target_task_alloc">(HOLOS_CALLER());
    target = static_cast<const char*>(body);
    return next(place, thread, flags, size, sharedSize, body, device);
}

#define HOLOS_TYPES \
    void*, int, void*, int, std::uint64_t*, std::uint64_t*, std::int64_t, int, int, std::uint64_t
#define HOLOS_PARAMETERS                                                                           \
    void *place, int thread, void *task, int condition, std::uint64_t *first, std::uint64_t *last, \
        std::int64_t step, int noGroup, int schedule, std::uint64_t grain
#define HOLOS_NAMES place, thread, task, condition, first, last, step, noGroup, schedule, grain

HOLOS_INTERPOSED void __kmpc_taskloop(HOLOS_PARAMETERS, void* duplicate) {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<void(HOLOS_TYPES, void*), "__kmpc_taskloop">(caller);
    loop = caller;
    next(HOLOS_NAMES, duplicate);
    loop = nullptr;
}
/// With a modifier of the number of tasks.
HOLOS_INTERPOSED void __kmpc_taskloop_5(HOLOS_PARAMETERS, int modifier, void* duplicate) {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<void(HOLOS_TYPES, int, void*), "__kmpc_taskloop_5">(caller);
    loop = caller;
    next(HOLOS_NAMES, modifier, duplicate);
    loop = nullptr;
}
