// SPDX-License-Identifier: BSD-3-Clause
// Tasks of programs whose runtime reports by OMPT.
#include <new>
#include <utility>

#include "tracing/recorder/core/helpers.h"
#include "tracing/recorder/core/open_call.h"
#include "tracing/recorder/openmp/constructs.h"
#include "tracing/recorder/openmp/gomp.h"
#include "tracing/recorder/openmp/ompt.h"
#include "tracing/recorder/openmp/tasks.h"

namespace holos::tracing::openmp {
namespace {

using namespace ompt;

/// What an explicit task's data points to.
struct Record {
    Task task;
    Work around;    ///< what its thread works on when it leaves the task
    bool hasBegun;  ///< its region was entered, in the thread that works on it
    bool isTold;    ///< that it was created is recorded, so that its switches and its end are
};

constexpr unsigned kExplicit = 1;  ///< added to the address: other tasks' data means something else

Record* recordOf(const ompt_data_t* task) {
    if (task == nullptr || (task->value & kExplicit) == 0) return nullptr;
    return reinterpret_cast<Record*>(static_cast<char*>(task->ptr) - kExplicit);
}

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
    if (resumeShare(task.id.team, 0)) {
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

void onTaskCreate(ompt_data_t*, const void*, ompt_data_t* task, int flags, int, const void* address) {
    if ((flags & kExplicitTask) == 0) return;
    task->ptr = nullptr;
    if (loop != nullptr) address = loop;
    const char* const body = std::exchange(target, nullptr);
    if (body != nullptr) address = body + 1;  // the call has no line, but its function has
    const PathRef path = pathHere();
    const Task made = taskOf(address, path, flags);
    if (made.region() == 0) return;
    const bool isTold = made.id.team != 0 && body == nullptr;
    auto* const record = new (std::nothrow) Record{made, {}, false, isTold};
    if (record == nullptr) return;
    task->ptr = reinterpret_cast<char*>(record) + kExplicit;
    const RegionRef region = regionAt(Construct::TaskCreate, address);
    markTime();
    enterAtMark(region, path);
    if (isTold) taskCreate(made.id);
    leaveAtMark(region);
}

void onTaskSchedule(ompt_data_t* prior, int status, ompt_data_t* next) {
    if (status == kTaskEarlyFulfill) return;
    if (status == kTaskLateFulfill) return completeDetached(*prior);
    Record* const before = recordOf(prior);
    Record* const after = recordOf(next);
    if (before != nullptr || after != nullptr) markTime();
    const bool isComplete = status == kTaskComplete || status == kTaskCancel;
    // Otherwise the next one interrupts it, and it stays on the stack.
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
