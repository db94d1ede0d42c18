// SPDX-License-Identifier: BSD-3-Clause
// Tasks of programs whose runtime reports by OMPT.
#include <new>

#include "tracing/core/open_call.h"
#include "tracing/openmp/constructs.h"
#include "tracing/openmp/gomp.h"
#include "tracing/openmp/ompt.h"
#include "tracing/openmp/tasks.h"

namespace holos::tracing::openmp {
namespace {

using namespace ompt;

/// What an explicit task's data points to.
struct Record {
    Task task;
    Work around;    ///< what its thread works on when it leaves the task
    bool hasBegun;  ///< its region was entered, in the thread that works on it
};

constexpr unsigned kExplicit = 1;  ///< added to the address: other tasks' data means something else

Record* recordOf(const ompt_data_t* task) {
    if (task == nullptr || (task->value & kExplicit) == 0) return nullptr;
    return reinterpret_cast<Record*>(static_cast<char*>(task->ptr) - kExplicit);
}

/// The team in whose closing barrier the calling thread works on a task; 0 elsewhere.
thread_local TeamRef resumed __attribute__((tls_model("initial-exec"))) = 0;

/// Where the loop stands whose parts the calling thread makes tasks of: the runtime reports a place within
/// itself for them. Null elsewhere.
thread_local const void* loop __attribute__((tls_model("initial-exec"))) = nullptr;

/// The end of the stack that the calling thread's present task has; `otherwise` where the runtime does not
/// say.
const void* endOfTask(const void* otherwise) {
    ompt_frame_t* frame = nullptr;
    if (taskInfo == nullptr || taskInfo(0, nullptr, nullptr, &frame, nullptr, nullptr) == 0) return otherwise;
    return frame != nullptr && frame->exit_frame.ptr != nullptr ? frame->exit_frame.ptr : otherwise;
}

/// `frame`: of the callback that tells so.
void workOn(Record& record, const void* frame) {
    auto* const number = original<int(), "omp_get_thread_num">(reportingRuntime);
    const Task& task = record.task;
    if (resumeShare(task.id.team, static_cast<std::uint32_t>(number()))) resumed = task.id.team;
    taskSwitch(task.id);
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
}

void complete(ompt_data_t& task) {
    const Record* const record = recordOf(&task);
    if (record->hasBegun) leaveAtMark(record->task.region());
    taskComplete(record->task.id);
    delete record;
    task.ptr = nullptr;
}

}  // namespace

void onTaskCreate(ompt_data_t*, const void*, ompt_data_t* task, int flags, int, const void* address) {
    if ((flags & kExplicitTask) == 0) return;
    task->ptr = nullptr;
    if (loop != nullptr) address = loop;
    const PathRef path = pathHere();
    const Task made = makeTask(address, path);
    if (made.id.team == 0) return;
    auto* const record = new (std::nothrow) Record{made, {}, false};
    if (record == nullptr) return;
    task->ptr = reinterpret_cast<char*>(record) + kExplicit;
    const RegionRef region = regionAt(Construct::TaskCreate, address);
    markTime();
    enterAtMark(region, path);
    taskCreate(made.id);
    leaveAtMark(region);
}

void onTaskSchedule(ompt_data_t* prior, int status, ompt_data_t* next) {
    Record* const before = recordOf(prior);
    Record* const after = recordOf(next);
    if (before != nullptr || after != nullptr) markTime();
    const bool isComplete = status == kTaskComplete || status == kTaskCancel || status == kTaskLateFulfill;
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
