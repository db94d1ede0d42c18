// SPDX-License-Identifier: BSD-3-Clause
// Tasks of programs that gcc or gfortran compiled: the runtime copies the data of a task where it is created
// and calls a function of the program where it is run. Ours stand before both, and what they need to know
// lies before the program's data.
#include <algorithm>
#include <cstring>

#include "tracing/openmp/constructs.h"
#include "tracing/openmp/gomp.h"
#include "tracing/openmp/tasks.h"

namespace holos::tracing::openmp {
namespace {

using Body = void(void*);
using Copy = void(void*, void*);

/// A construct that creates tasks, while it does; on the stack of its thread.
struct Creation {
    long bounds[2];  ///< the runtime looks for reductions where they are in the data of a task
    void* reductions;
    Body* body;
    Copy* copy;
    void* data;
    std::size_t size;
    std::size_t offset;  ///< of the program's data
    const void* address;
    RegionRef region;  ///< 0 once it was left
    PathRef path;
};

/// What lies before the program's data in the runtime's memory of a task.
struct Header {
    long bounds[2];  ///< of the part of a loop, written by the runtime
    void* reductions;
    Body* body;
    Creation* creation;
    Task task;
    std::size_t offset;
};

thread_local Creation* creating __attribute__((tls_model("initial-exec"))) = nullptr;

void leaveCreation(Creation& creation) {
    leave(creation.region);
    creation.region = 0;
}

void copyTask(void* to, void* from) {
    auto& creation = *static_cast<Creation*>(from);
    auto* const header = static_cast<Header*>(to);
    *header = {{},
               creation.reductions,
               creation.body,
               &creation,
               makeTask(creation.address, creation.path),
               creation.offset};
    if (header->task.id.team != 0) {
        markTime();
        taskCreate(header->task.id);
    }
    char* const data = static_cast<char*>(to) + creation.offset;
    if (creation.copy == nullptr) {
        std::memcpy(data, creation.data, creation.size);
        return;
    }
    const core::Calling calling(creation.copy);
    creation.copy(data, creation.data);
}

/// While one exists, the calling thread works on a task.
class Running {
  public:
    /// `end`: an address in the frame of the function that calls the body.
    Running(const Task& task, Body* body, const void* end) : task_(task) {
        auto* const number = original<int(), "omp_get_thread_num">(reinterpret_cast<const void*>(body));
        isResumed_ = resumeShare(task.id.team, static_cast<std::uint32_t>(number()));
        const TaskId own = ownTask();
        const Task* const outer = presentTask();
        before_ = outer != nullptr && outer->id.team == own.team ? outer->id : own;
        markTime();
        taskSwitch(task.id);
        enterAtMark(task.region(), task.construct.created);
        outer_ = workOnTask(task_, end);
    }
    ~Running() {
        goOnWith(outer_);
        markTime();
        leaveAtMark(task_.region());
        taskComplete(task_.id);
        taskSwitch(before_);
        if (isResumed_) suspendShare(task_.id.team);
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

  private:
    const Task& task_;
    Work outer_;
    TaskId before_;
    bool isResumed_;
};

void runTask(void* memory) {
    const Header header = *static_cast<Header*>(memory);
    void* const data = static_cast<char*>(memory) + header.offset;
    const core::Calling calling(header.body);
    if (header.task.id.team == 0) return header.body(data);
    // A task that is not deferred runs while it is created.
    if (header.creation == creating && creating != nullptr) leaveCreation(*creating);
    const Running running(header.task, header.body, &header);
    header.body(data);
}

void runPart(void* memory) {
    const Header& header = *static_cast<Header*>(memory);
    std::memcpy(static_cast<char*>(memory) + header.offset, header.bounds, sizeof header.bounds);
    runTask(memory);
}

/// Runs a construct that creates tasks: `call(data, size, alignment)` hands it to the runtime.
template <class Call>
void create(Body* body, void* data, Copy* copy, long size, long alignment, Call call) {
    const std::size_t aligned = std::max<std::size_t>(static_cast<std::size_t>(alignment), alignof(Header));
    const std::size_t offset = (sizeof(Header) + aligned - 1) / aligned * aligned;
    const void* const address = reinterpret_cast<const char*>(body) + 1;
    Creation creation{{},        nullptr, body,
                      copy,      data,    static_cast<std::size_t>(size),
                      offset,    address, regionAt(Construct::TaskCreate, address),
                      pathHere()};
    Creation* const outer = creating;
    creating = &creation;
    enterAlong(creation.region, creation.path);
    call(creation, static_cast<long>(offset) + size, static_cast<long>(aligned));
    leaveCreation(creation);
    creating = outer;
}

constexpr unsigned kDetached = 1U << 13;
constexpr unsigned kWithReduction = 1U << 12;
constexpr unsigned kNoGroup = 1U << 11;

/// A loop whose parts become tasks; they are waited for at its end unless its flags say otherwise.
template <class Call>
void createLoop(Body* body, void* data, Copy* copy, long size, long alignment, unsigned flags, Call call) {
    const void* const address = reinterpret_cast<const char*>(body) + 1;
    const RegionRef group = (flags & kNoGroup) == 0 ? regionAt(Construct::Taskgroup, address) : 0;
    enter(group);
    create(body, data, copy, size, alignment, [&](Creation& creation, long wholeSize, long wholeAlignment) {
        if ((flags & kWithReduction) != 0)
            std::memcpy(&creation.reductions, static_cast<char*>(data) + sizeof creation.bounds,
                        sizeof creation.reductions);
        call(creation, wholeSize, wholeAlignment);
    });
    leave(group);
}

bool recordsTasks(const void* caller) {
    return gompRecords(caller) && ownTask().team != 0;
}

}  // namespace
}  // namespace holos::tracing::openmp

using namespace holos::tracing;
using namespace holos::tracing::openmp;

HOLOS_INTERPOSED void GOMP_task(void (*body)(void*), void* data, void (*copy)(void*, void*), long size,
                                long alignment, bool isDeferred, unsigned flags, void** dependences,
                                int priority, void* event) {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<void(void (*)(void*), void*, void (*)(void*, void*), long, long, bool,
                                     unsigned, void**, int, void*),
                                "GOMP_task">(caller);
    // The data of a detached task begins with a word that is the runtime's.
    if (!recordsTasks(caller) || (flags & kDetached) != 0)
        return next(body, data, copy, size, alignment, isDeferred, flags, dependences, priority, event);
    create(body, data, copy, size, alignment, [&](Creation& creation, long wholeSize, long wholeAlignment) {
        next(&runTask, &creation, &copyTask, wholeSize, wholeAlignment, isDeferred, flags, dependences,
             priority, event);
    });
}

#define HOLOS_TASKLOOP(name, Number)                                                                   \
    HOLOS_INTERPOSED void name(void (*body)(void*), void* data, void (*copy)(void*, void*), long size, \
                               long alignment, unsigned flags, unsigned long tasks, int priority,      \
                               Number begin, Number end, Number step) {                                \
        const void* const caller = HOLOS_CALLER();                                                     \
        auto* const next = original<void(void (*)(void*), void*, void (*)(void*, void*), long, long,   \
                                         unsigned, unsigned long, int, Number, Number, Number),        \
                                    #name>(caller);                                                    \
        if (!recordsTasks(caller))                                                                     \
            return next(body, data, copy, size, alignment, flags, tasks, priority, begin, end, step);  \
        createLoop(body, data, copy, size, alignment, flags,                                           \
                   [&](Creation& creation, long wholeSize, long wholeAlignment) {                      \
                       next(&runPart, &creation, &copyTask, wholeSize, wholeAlignment, flags, tasks,   \
                            priority, begin, end, step);                                               \
                   });                                                                                 \
    }
HOLOS_TASKLOOP(GOMP_taskloop, long)
HOLOS_TASKLOOP(GOMP_taskloop_ull, unsigned long long)
