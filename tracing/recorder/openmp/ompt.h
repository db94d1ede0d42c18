// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

/// The part of OpenMP's interface for tools (OMPT, OpenMP 5.1 chapter 4) that the recorder uses. Declared
/// here, so that building needs no particular compiler's header; names and values are the standard's.
extern "C" {

typedef union ompt_data_t {
    std::uint64_t value;
    void* ptr;
} ompt_data_t;

typedef void (*ompt_interface_fn_t)();
typedef ompt_interface_fn_t (*ompt_function_lookup_t)(const char* name);
typedef void (*ompt_callback_t)();
typedef int (*ompt_set_callback_t)(int event, ompt_callback_t callback);

/// Where the stack of a task begins and ends.
typedef struct ompt_frame_t {
    ompt_data_t exit_frame;   ///< of the runtime's function that calls the task's
    ompt_data_t enter_frame;  ///< of the task's function that calls the runtime
    int exit_frame_flags;
    int enter_frame_flags;
} ompt_frame_t;
typedef int (*ompt_get_task_info_t)(int ancestor_level, int* flags, ompt_data_t** task_data,
                                    ompt_frame_t** task_frame, ompt_data_t** parallel_data, int* thread_num);

typedef struct ompt_start_tool_result_t {
    int (*initialize)(ompt_function_lookup_t lookup, int initial_device, ompt_data_t* tool_data);
    void (*finalize)(ompt_data_t* tool_data);
    ompt_data_t tool_data;
} ompt_start_tool_result_t;
}

namespace holos::tracing::openmp::ompt {

enum Event : int {
    kParallelBegin = 3,
    kParallelEnd = 4,
    kTaskCreate = 5,
    kTaskSchedule = 6,
    kImplicitTask = 7,
    kMutexReleased = 17,
    kWork = 20,
    kMasked = 21,
    kSyncRegion = 23,
    kLockInit = 24,
    kLockDestroy = 25,
    kMutexAcquire = 26,
    kMutexAcquired = 27,
    kNestLock = 28,
};

enum Endpoint : int { kBegin = 1, kEnd = 2, kBeginEnd = 3 };

enum Sync : int {
    kBarrier = 1,
    kBarrierImplicit = 2,
    kBarrierExplicit = 3,
    kBarrierImplementation = 4,
    kSyncTaskwait = 5,
    kSyncTaskgroup = 6,
    kSyncReduction = 7,
    kBarrierImplicitWorkshare = 8,
    kBarrierImplicitParallel = 9,
    kBarrierTeams = 10,
};

enum WorkKind : int {
    kLoop = 1,
    kSections = 2,
    kSingleExecutor = 3,
    kSingleOther = 4,
    kWorkshare = 5,
    kDistribute = 6,
    kTaskloop = 7,
    kScope = 8,
    kLoopStatic = 10,  ///< of newer runtimes, which tell loops apart by how they share out
    kLoopDynamic = 11,
    kLoopGuided = 12,
    kLoopOther = 13,
};

enum Mutex : int {
    kLock = 1,
    kTestLock = 2,
    kNestedLock = 3,
    kTestNestedLock = 4,
    kCritical = 5,
    kAtomic = 6,
    kOrdered = 7,
};

/// Of the flags of a parallel region: it is the teams of `teams`.
inline constexpr int kLeague = 1 << 30;

/// Of the flags of a task: the implicit one that runs the whole program, or begins a team of `teams`; one
/// that a construct makes, other than `target`; one that `target` makes (LLVM before 19 says that it is one
/// of the others); one that its creator runs at once.
inline constexpr int kInitialTask = 1;
inline constexpr int kExplicitTask = 4;
inline constexpr int kTargetTask = 8;
inline constexpr int kUndeferredTask = 1 << 27;

/// Why a thread stops working on a task.
/// The last two: the event of a detached task is fulfilled while the task runs, or after it ended, by
/// whatever thread; that one goes on with what it does.
enum TaskStatus : int { kTaskComplete = 1, kTaskCancel = 3, kTaskEarlyFulfill = 5, kTaskLateFulfill = 6 };

}  // namespace holos::tracing::openmp::ompt

namespace holos::tracing::openmp {

/// An address in the runtime that reports; null before it does.
extern const void* reportingRuntime;

/// The runtime's, null where it has none.
extern ompt_get_task_info_t taskInfo;

/// Where the program calls a function of the runtime that calls another one, which is reported to be called
/// there; null elsewhere. Of the calling thread.
extern thread_local const void* outerCaller __attribute__((tls_model("initial-exec")));

/// The callbacks for explicit tasks. They keep in the data of such a task an odd number; those of implicit
/// tasks hold addresses.
void onTaskCreate(ompt_data_t* creator, const void* frame, ompt_data_t* task, int flags, int hasDependences,
                  const void* address) noexcept;
void onTaskSchedule(ompt_data_t* prior, int status, ompt_data_t* next) noexcept;

}  // namespace holos::tracing::openmp
