// SPDX-License-Identifier: BSD-3-Clause
// Tasks of programs that gcc or gfortran compiled: the runtime copies the data of a task where it is created
// and calls a function of the program where it is run. Ours stand before both, and what they need to know
// lies before the program's data.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "tracing/recorder/core/held_signals.h"
#include "tracing/recorder/core/own_lock.h"
#include "tracing/recorder/openmp/constructs.h"
#include "tracing/recorder/openmp/gomp.h"
#include "tracing/recorder/openmp/team.h"

namespace holos::tracing::openmp {
namespace {

using Body = void(void*);
using Copy = void(void*, void*);

/// A construct that creates tasks, while it does; on the stack of its thread. In its first word the runtime
/// tells the event of a detached task, as it would in the program's data.
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
    bool isDetached;
};

/// A detached task that is not complete: its function is still to return, or its event to be fulfilled.
struct Detached {
    Detached* next;
    std::uintptr_t event;
    TaskId id;
    bool hasReturned;
    bool isFulfilled;
};

/// All of them, by events.
class DetachedTasks {
  public:
    /// False where there is no memory.
    bool add(std::uintptr_t event, TaskId id) {
        auto* const made = new (std::nothrow) Detached{nullptr, event, id, false, false};
        if (made == nullptr) return false;
        const core::HeldSignals held;
        const core::OwnLock lock(mutex_);
        made->next = std::exchange(rowOf(event), made);
        return true;
    }
    /// The task whose event it is, where that is complete by this. The runtime may use the event again then.
    std::optional<TaskId> afterReturn(std::uintptr_t event) {
        return after(event, &Detached::hasReturned, &Detached::isFulfilled);
    }
    std::optional<TaskId> afterEvent(std::uintptr_t event) {
        return after(event, &Detached::isFulfilled, &Detached::hasReturned);
    }

  private:
    std::optional<TaskId> after(std::uintptr_t event, bool Detached::*happened, bool Detached::*other) {
        const core::HeldSignals held;
        const core::OwnLock lock(mutex_);
        for (Detached** place = &rowOf(event); *place != nullptr; place = &(*place)->next) {
            Detached* const task = *place;
            if (task->event != event) continue;
            task->*happened = true;
            if (!(task->*other)) return std::nullopt;
            *place = task->next;
            const TaskId id = task->id;
            delete task;
            return id;
        }
        return std::nullopt;
    }
    Detached*& rowOf(std::uintptr_t event) {
        return rows_[(event * 0x9E3779B97F4A7C15U) >> (64 - kBits)];  // Fibonacci hashing
    }

    static constexpr unsigned kBits = 8;
    std::mutex mutex_;
    std::array<Detached*, std::size_t{1} << kBits> rows_{};
};
constinit DetachedTasks detachedTasks;

/// What lies before the program's data in the runtime's memory of a task.
struct Header {
    long bounds[2];  ///< of the part of a loop, written by the runtime
    void* reductions;
    Body* body;
    Creation* creation;
    Task task;
    std::size_t offset;
    std::uintptr_t event;  ///< of a detached task that is recorded; else 0
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
               creation.offset,
               0};
    if (creation.isDetached) {
        std::memcpy(creation.data, creation.bounds, sizeof(void*));
        const auto event = static_cast<std::uintptr_t>(creation.bounds[0]);
        if (header->task.id.team != 0 && detachedTasks.add(event, header->task.id))
            header->event = event;
        else
            header->task.id.team = 0;
    }
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
    /// `end`: an address in the frame of the function that calls the body. `event`: of a detached task.
    Running(const Task& task, const void* end, std::uintptr_t event = 0) : task_(task), event_(event) {
        isResumed_ = resumeShare(task.id.team);
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
        if (event_ == 0 || detachedTasks.afterReturn(event_)) taskComplete(task_.id);
        taskSwitch(before_);
        if (isResumed_) suspendShare(task_.id.team);
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

  private:
    const Task& task_;
    std::uintptr_t event_;
    WorkOnTask outer_;
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
    const Running running(header.task, &header, header.event);
    header.body(data);
}

void runPart(void* memory) {
    const Header& header = *static_cast<Header*>(memory);
    std::memcpy(static_cast<char*>(memory) + header.offset, header.bounds, sizeof header.bounds);
    runTask(memory);
}

/// Runs a construct that creates tasks: `call(data, size, alignment)` hands it to the runtime.
template <class Call>
void create(Body* body, void* data, Copy* copy, long size, long alignment, bool isDetached, Call call) {
    const std::size_t aligned = std::max<std::size_t>(static_cast<std::size_t>(alignment), alignof(Header));
    const std::size_t offset = (sizeof(Header) + aligned - 1) / aligned * aligned;
    const void* const address = reinterpret_cast<const char*>(body) + 1;
    Creation creation{{},         nullptr,   body,
                      copy,       data,      static_cast<std::size_t>(size),
                      offset,     address,   regionAt(Construct::TaskCreate, address),
                      pathHere(), isDetached};
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
    create(body, data, copy, size, alignment, false,
           [&](Creation& creation, long wholeSize, long wholeAlignment) {
               if ((flags & kWithReduction) != 0)
                   std::memcpy(&creation.reductions, static_cast<char*>(data) + sizeof creation.bounds,
                               sizeof creation.reductions);
               call(creation, wholeSize, wholeAlignment);
           });
    leave(group);
}

/// What a `target nowait` runs on the host, and as which task. An entry goes with it in front of those that
/// describe the program's data; the program's function gets the address of the latter.
struct Target {
    Body* body;
    Task task;
};

/// While one is created; on the stack of its thread.
struct TargetCreation {
    const Target* target;
    RegionRef region;  ///< 0 once it was left
};
thread_local TargetCreation* creatingTarget __attribute__((tls_model("initial-exec"))) = nullptr;

void runTarget(void* entries) {
    void** const all = static_cast<void**>(entries);
    auto* const given = static_cast<Target*>(*all);
    // It runs while it is created where it must not be deferred.
    if (creatingTarget != nullptr && creatingTarget->target == given)
        leave(std::exchange(creatingTarget->region, 0));
    const Target target = *given;
    delete given;
    const core::Calling calling(target.body);
    if (target.task.id.team != 0) {
        const Running running(target.task, &target);
        return target.body(all + 1);
    }
    enterAlong(target.task.region(), target.task.construct.created);
    target.body(all + 1);
    leave(target.task.region());
}

/// The arrays that describe the data of a `target`, with one entry in front.
struct TargetData {
    static constexpr std::size_t kMost = 256;
    void* addresses[kMost];
    std::size_t sizes[kMost];
    unsigned short kinds[kMost];

    void fill(void* first, std::size_t count, void* const* from, const std::size_t* bytes,
              const unsigned short* ways) {
        constexpr unsigned short kPlainWord = 13;  // GOMP_MAP_FIRSTPRIVATE_INT: its address is its value
        addresses[0] = first;
        sizes[0] = 0;
        kinds[0] = kPlainWord;
        std::copy_n(from, count, addresses + 1);
        std::copy_n(bytes, count, sizes + 1);
        std::copy_n(ways, count, kinds + 1);
    }
};

/// Nothing but the host runs it, so that the function need not be known to a device.
bool isForHost(Body* body) {
    auto* const devices = original<int(), "omp_get_num_devices">(reinterpret_cast<const void*>(body));
    return devices != nullptr && devices() == 0;
}

/// Hands a `target nowait` to the runtime by `call`.
template <class Call>
void createTarget(Target& target, TargetData& data, Call call) {
    TargetCreation creation{&target,
                            regionAt(Construct::TaskCreate, reinterpret_cast<char*>(target.body) + 1)};
    TargetCreation* const outer = std::exchange(creatingTarget, &creation);
    enterAlong(creation.region, target.task.construct.created);
    if (target.task.id.team != 0) {
        markTime();
        taskCreate(target.task.id);
    }
    call(data);  // which may have run and removed it
    leave(creation.region);
    creatingTarget = outer;
}

Target* makeTarget(Body* body) {
    const void* const address = reinterpret_cast<const char*>(body) + 1;
    const PathRef path = pathHere();
    Task task = makeTask(address, path);
    if (task.id.team == 0) task.construct = {regionAt(Construct::Task, address), path};
    return new (std::nothrow) Target{body, task};
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
    if (!recordsTasks(caller))
        return next(body, data, copy, size, alignment, isDeferred, flags, dependences, priority, event);
    const bool isDetached = (flags & kDetached) != 0 && data != nullptr;
    create(body, data, copy, size, alignment, isDetached,
           [&](Creation& creation, long wholeSize, long wholeAlignment) {
               next(&runTask, &creation, &copyTask, wholeSize, wholeAlignment, isDeferred, flags, dependences,
                    priority, event);
           });
}

/// Whatever the calling thread does, a detached task that has returned is complete by this.
HOLOS_INTERPOSED void omp_fulfill_event(std::uintptr_t event) {
    auto* const next = original<void(std::uintptr_t), "omp_fulfill_event">(HOLOS_CALLER());
    if (const auto task = detachedTasks.afterEvent(event)) {
        markTime();
        taskComplete(*task);
    }
    next(event);
}

HOLOS_INTERPOSED void GOMP_target_ext(int device, void (*body)(void*), std::size_t count, void** addresses,
                                      std::size_t* sizes, unsigned short* kinds, unsigned flags,
                                      void** dependences, void** arguments) {
    constexpr unsigned kNoWait = 1;
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<void(int, void (*)(void*), std::size_t, void**, std::size_t*, unsigned short*,
                                     unsigned, void**, void**),
                                "GOMP_target_ext">(caller);
    const bool isTask = (flags & kNoWait) != 0 && count < TargetData::kMost;
    Target* const target = isTask && gompRecords(caller) && isForHost(body) ? makeTarget(body) : nullptr;
    if (target == nullptr)
        return next(device, body, count, addresses, sizes, kinds, flags, dependences, arguments);
    TargetData all;
    all.fill(target, count, addresses, sizes, kinds);
    createTarget(*target, all, [=](TargetData& data) {
        next(device, &runTarget, count + 1, data.addresses, data.sizes, data.kinds, flags, dependences,
             arguments);
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
