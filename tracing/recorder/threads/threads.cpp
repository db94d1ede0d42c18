// SPDX-License-Identifier: BSD-3-Clause
// Threads that the program starts itself, and those that the C library starts for it.
#include <limits.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>
#include <threads.h>
#include <time.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>

#include "tracing/code/loaded/file_table.h"
#include "tracing/code/loaded/runtimes.h"
#include "tracing/recorder/core/call_paths.h"
#include "tracing/recorder/core/confining.h"
#include "tracing/recorder/core/counting.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/openmp_reports.h"
#include "tracing/recorder/core/other_threads.h"
#include "tracing/recorder/core/own_waiting.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/core/process_facts.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recorder/functions/call_stack.h"
#include "tracing/recorder/interpose/confinement.h"
#include "tracing/recorder/interpose/next_function.h"
#include "tracing/recorder/memory/heap.h"
#include "tracing/recorder/stacks/program_part.h"
#include "tracing/recorder/stacks/sampler.h"
#include "tracing/recorder/stacks/thread_stack.h"
#include "tracing/recorder/threads/synchronization.h"

// Threads that the C library starts for a notification (SIGEV_THREAD), as when a timer expires: a new one
// each time, so that they share locations, one for as many as there are at a time.
namespace holos::tracing::core {
namespace {

using Notify = void(sigval);

/// What the program wants to be called. Never freed: the C library may still be about to call it.
struct Notification {
    std::atomic<Notify*> function{nullptr};
    void* value = nullptr;
    std::atomic<bool> isReady{false};
    RegionRef region = 0;
};
constexpr std::size_t kMostNotifications = 256;
std::array<Notification, kMostNotifications> notifications;

/// Of threads that run at the same time.
constexpr std::size_t kMostAtATime = 64;
struct SharedLocation {
    std::atomic<bool> isTaken{false};
    Location* location = nullptr;
    std::int64_t onProcessors = 0;  ///< of the threads before
};
std::array<SharedLocation, kMostAtATime> shared;

thread_local SharedLocation* ownLocation __attribute__((tls_model("initial-exec"))) = nullptr;

/// The one with this function and value, which is the same for each use; null where there are too many.
Notification* notificationOf(Notify* function, void* value) noexcept {
    for (Notification& one : notifications) {
        Notify* known = nullptr;
        if (one.function.compare_exchange_strong(known, function)) {
            one.value = value;
            one.region = defineRegionAt(reinterpret_cast<const void*>(function),
                                        {"notification", nullptr, 0, 0, Paradigm::Pthread, Role::Function});
            one.isReady.store(true, std::memory_order_release);
            return &one;
        }
        if (known == function && one.isReady.load(std::memory_order_acquire) && one.value == value)
            return &one;
    }
    return nullptr;
}

SharedLocation* takeLocation() noexcept {
    for (SharedLocation& one : shared) {
        if (one.isTaken.exchange(true, std::memory_order_acquire)) continue;
        if (one.location == nullptr)
            one.location = makeLocation(LocationKind::Thread, kNoLocation, 0, 0, "Notifications");
        return &one;
    }
    return nullptr;
}

void beginNotified(Thread& thread) noexcept {
    const Busy busy(thread);
    ownLocation = takeLocation();
    if (ownLocation == nullptr || ownLocation->location == nullptr) return;
    thread.location = ownLocation->location;
    beginSharing(thread, *ownLocation->location);
    moveCounters(thread, nullptr, thread.location);
    stacks::startThread(thread);
}

void call(sigval data) {
    const auto& notification = *static_cast<const Notification*>(data.sival_ptr);
    Notify* const function = notification.function.load(std::memory_order_relaxed);
    sigval value{};
    value.sival_ptr = notification.value;
    if (!recordingIsOpen.load(std::memory_order_relaxed)) return function(value);
    watchEnd(thisThread);
    beginNotified(thisThread);
    const bool isEntered = enter(notification.region);
    Calling::replace(reinterpret_cast<const char*>(function) + 1);
    function(value);
    if (isEntered) leave(notification.region);
}

/// `event` with the recorder's function in place of the program's; the program's own one where it is not to
/// be recorded.
class Replaced {
  public:
    Replaced(const sigevent* event, const void* caller) noexcept : event_(event) {
        begin();
        const bool isThread = event != nullptr && event->sigev_notify == SIGEV_THREAD;
        if (!isThread || !recordingIsOpen.load(std::memory_order_relaxed) || code::isRuntime(caller)) return;
        Notification* const notification =
            notificationOf(event->sigev_notify_function, event->sigev_value.sival_ptr);
        if (notification == nullptr) return;
        own_ = *event;
        own_.sigev_notify_function = &call;
        own_.sigev_value.sival_ptr = notification;
        event_ = &own_;
    }
    Replaced(const Replaced&) = delete;
    Replaced& operator=(const Replaced&) = delete;

    const sigevent* event() const noexcept { return event_; }

  private:
    sigevent own_{};
    const sigevent* event_;
};

constinit interpose::Next<int(clockid_t, const sigevent*, timer_t*)> nextTimer("timer_create");
constinit interpose::Next<int(mqd_t, const sigevent*)> nextNotify("mq_notify");

/// A thread ends that the C library started for a notification; nothing for others.
void endNotified(Thread& thread) noexcept {
    SharedLocation* const ended = std::exchange(ownLocation, nullptr);
    if (ended == nullptr) return;
    if (thread.location != nullptr) {
        constexpr std::int64_t kUnknown = -1;
        ended->onProcessors += nanoseconds(CLOCK_THREAD_CPUTIME_ID);
        endSharing(*thread.location);
        writeProcessorTime(thread.location->ref, ended->onProcessors, kUnknown);
    }
    ended->isTaken.store(false, std::memory_order_release);
}

}  // namespace
}  // namespace holos::tracing::core

using namespace holos::tracing::core;

HOLOS_INTERPOSED int timer_create(clockid_t clock, sigevent* event, timer_t* timer) noexcept {
    const void* const caller = HOLOS_CALLER();
    const Replaced replaced(event, caller);
    return nextTimer.behind(caller)(clock, replaced.event(), timer);
}
HOLOS_INTERPOSED int mq_notify(mqd_t queue, const sigevent* event) noexcept {
    const void* const caller = HOLOS_CALLER();
    const Replaced replaced(event, caller);
    return nextNotify.behind(caller)(queue, replaced.event());
}

// Threads that the program starts itself become locations of their own. Threads of runtime systems do not:
// those of OpenMP are places in teams, those of MPI and the like are not the program's.
namespace holos::tracing::core {
namespace {

/// What a thread begins with: a function of POSIX threads gives a pointer, one of C11's an integer.
template <class Result>
using Routine = Result (*)(void*);

/// What a new thread needs; it frees it.
struct Start {
    const void* routine;
    void* argument;
    RegionRef region;
    std::uint32_t number;  ///< 0: a runtime system's
    std::size_t stackBytes;
    const void* caller;
    interpose::Confinement confinement;  ///< of the thread that starts it
};

std::atomic<std::uint32_t> threadsStarted{0};

/// The numbers of threads that can be joined. Never destroyed: threads may be joined while the program ends.
struct Numbers {
    std::mutex mutex;
    std::map<pthread_t, std::uint32_t> numbers;
    std::set<std::uint32_t> beginning;  ///< of threads that are created and have not begun
};
Numbers& started() {
    static auto* const numbers = new Numbers;
    return *numbers;
}

/// Called by who creates the thread, before.
void expect(std::uint32_t number) noexcept try {
    const Pause pause;
    const std::scoped_lock lock(started().mutex);
    started().beginning.insert(number);
} catch (...) {
}  // then it is known as soon as it begins
/// Called by who has created the thread, which may be joined before it begins. Once it has begun it has told
/// its number itself, and the program may have freed the memory of `id`.
void rememberCreated(const pthread_t* id, std::uint32_t number) noexcept try {
    const Pause pause;
    const std::scoped_lock lock(started().mutex);
    if (started().beginning.contains(number)) started().numbers[*id] = number;
} catch (...) {
}  // then it is known as soon as it begins
/// It was not created.
void forgetExpected(std::uint32_t number) noexcept {
    const Pause pause;
    const std::scoped_lock lock(started().mutex);
    started().beginning.erase(number);
}

/// Called by the thread itself.
void remember(std::uint32_t number) noexcept try {
    const Pause pause;
    const std::scoped_lock lock(started().mutex);
    started().beginning.erase(number);
    started().numbers[::pthread_self()] = number;
} catch (...) {
}  // then the wait for it is not recorded

/// The number of a thread; 0 when it has none, or has neither begun nor has the call that creates it
/// returned.
std::uint32_t numberOf(pthread_t id) noexcept {
    const Pause pause;
    const std::scoped_lock lock(started().mutex);
    const auto found = started().numbers.find(id);
    return found != started().numbers.end() ? found->second : 0;
}

/// The next thread may have the id of one that was joined, and need not have begun when it is joined, too.
void forget(pthread_t id, std::uint32_t number) noexcept {
    const Pause pause;
    const std::scoped_lock lock(started().mutex);
    const auto found = started().numbers.find(id);
    if (found != started().numbers.end() && found->second == number) started().numbers.erase(found);
}

RegionRef managementRegion(const char* name, Role role) noexcept {
    RegionDefinition definition{};
    definition.name = name;
    definition.file = "pthread";
    definition.paradigm = Paradigm::Pthread;
    definition.role = role;
    return defineRegion(definition);
}

/// A function that starts threads or waits for their end, and its region. Constant-initialised.
template <class Type>
class Management {
  public:
    constexpr Management(const char* name, Role role) : next_(name), role_(role) {}

    Type* behind(const void* caller) noexcept { return next_.behind(caller); }

    /// A library may have functions of its own by the names of C11, as for systems without these. They work
    /// with threads of POSIX, of which the recorder hears.
    bool isAnothers(const void* caller) noexcept {
        return !code::isSystem(reinterpret_cast<const void*>(behind(caller)));
    }

    RegionRef region() noexcept {
        RegionRef known = region_.load(std::memory_order_relaxed);
        if (known != 0) return known;
        known = managementRegion(next_.name(), role_);
        region_.store(known, std::memory_order_relaxed);
        return known;
    }

  private:
    interpose::Next<Type> next_;
    Role role_;
    std::atomic<RegionRef> region_{0};
};

pthread_key_t endKey() noexcept;

/// The C library calls the destructors of a thread's keys in rounds, as long as they leave values, but no
/// more than PTHREAD_DESTRUCTOR_ITERATIONS times. What those of the program do is recorded in the rounds
/// before the thread ends for the recorder. One round remains, for threads that are watched only in the first
/// one.
constexpr int kRoundsBefore = PTHREAD_DESTRUCTOR_ITERATIONS - 2;
/// How many rounds are left; negative as long as nobody watches for the end.
thread_local int roundsBefore __attribute__((tls_model("initial-exec"))) = -1;

void endThread(void* own) noexcept {
    if (roundsBefore > 0) {
        --roundsBefore;
        pthread_setspecific(endKey(), own);
        return;
    }
    Thread& thread = thisThread;
    if (thread.nesting == 0) readCounters(thread);
    if (thread.number != 0 && thread.nesting == 0) record<RecordKind::ThreadEnd>(thread.number);
    noteProcessor();
    const Busy busy(thread);
    if (!mayAskKernel()) return;
    noteEndingThread();
    stacks::stopThread();
    functions::endCalls();
    stopCounters(thread);
    releaseWaitingNote();
    thread.countersFailed = true;
    if (thread.number != 0 && thread.location != nullptr) {
        noteEndedBinding(*thread.location);
        thread.location->close();
    }
    if (thread.isRuntimes && thread.hadPlace) noteEndedPlaces(thread);
    endOtherThread();
    endNotified(thread);
    if (thread.constructs != nullptr) heap::release(std::exchange(thread.constructs, nullptr));
    if (thread.ranges != nullptr) heap::release(std::exchange(thread.ranges, nullptr));
    thread.location = nullptr;
    thread.state = thread.state + Thread::kOnePause;
}

pthread_key_t endKey() noexcept {
    static const pthread_key_t key = [] {
        pthread_key_t made{};
        pthread_key_create(&made, &endThread);
        return made;
    }();
    return key;
}

void beginThread(const Start& start) noexcept {
    Thread& thread = thisThread;
    interpose::beginWith(start.confinement);
    thread.stackBytes = start.stackBytes;
    if (start.number == 0) {
        thread.isRuntimes = true;
        thread.state = thread.state + Thread::kOnePause;
        beginOtherThread(ThreadOrigin::Runtime, start.caller);
        watchEnd(thread);
        return;
    }
    watchEnd(thread);
    remember(start.number);
    thread.number = start.number;
    record<RecordKind::ThreadBegin>(thread.number);
    if (thread.location == nullptr) beginOtherThread(ThreadOrigin::Silent, nullptr);
    if (enter(start.region)) thread.ownFunction = start.routine;
}

/// Nothing here may need cleaning up: the thread can end inside the routine (`pthread_exit`, cancellation).
template <class Result>
Result run(void* data) {
    const Start start = *static_cast<Start*>(data);
    std::free(data);
    beginThread(start);
    noteExpectedThread();
    Calling::replace(static_cast<const char*>(start.routine) + 1);
    const auto routine = reinterpret_cast<Routine<Result>>(const_cast<void*>(start.routine));
    const Result result = routine(start.argument);
    if (thisThread.ownFunction != nullptr) leave(start.region);
    return result;
}

/// Whether it is one of a Python interpreter, which runs a function of Python.
bool isInterpreters(const void* routine) noexcept {
    const code::FileTableUse use;
    return stacks::isOfInterpreter(stacks::ownerOf(reinterpret_cast<std::uint64_t>(routine)));
}

RegionRef newRegionOf(const void* routine) noexcept {
    if (isInterpreters(routine)) return managementRegion("Python thread", Role::Function);
    return defineRegionAt(routine, {"thread", nullptr, 0, 0, Paradigm::Pthread, Role::Function});
}

/// By the thread's function: finding out where its code lies takes long.
RegionRef regionOf(const void* routine) noexcept {
    struct Known {
        std::atomic<const void*> routine{nullptr};
        std::atomic<RegionRef> region{0};
    };
    constexpr std::size_t kMostKnown = 64;
    static std::array<Known, kMostKnown> all;
    for (Known& known : all) {
        const void* there = known.routine.load(std::memory_order_relaxed);
        const RegionRef region = known.region.load(std::memory_order_acquire);
        if (there == routine && region != 0) return region;
        if (there != nullptr) continue;
        const RegionRef made = newRegionOf(routine);
        if (made != 0 && known.routine.compare_exchange_strong(there, routine))
            known.region.store(made, std::memory_order_release);
        return made;
    }
    return newRegionOf(routine);
}

/// What a thread starts while the recorder or a runtime system has paused it is a runtime system's, too. One
/// that the program has switched off is still the program's.
bool isOfRuntime(const void* caller) noexcept {
    const Thread& thread = thisThread;
    const std::uint32_t switchedOff = thread.isOff ? Thread::kOnePause : 0;
    if (thread.state == switchedOff && !code::isRuntime(caller)) return false;
    if (const char* const file = code::fileOf(caller); file != nullptr && code::isOpenMp(file)) {
        threads::expectSynchronization();
        if (code::isOpenMpOfLlvm(file))
            noteOpenMpThread();
        else
            interpose::keepLibraryOf(caller);  // its threads wait in it for ever, closed or not
    }
    return true;
}

Start* makeStart(const pthread_attr_t* attributes, const void* routine, void* argument,
                 const void* caller) noexcept {
    auto* start = static_cast<Start*>(std::malloc(sizeof(Start)));
    if (start == nullptr) return nullptr;
    *start = {routine, argument, 0, 0, stacks::stackBytesOf(attributes), caller, interpose::confinement()};
    if (isOfRuntime(caller)) return start;
    start->number = threadsStarted.fetch_add(1, std::memory_order_relaxed) + 1;
    start->region = regionOf(routine);
    return start;
}

/// `create(routine, argument)` starts the thread by the function of `management`, and writes its id to `id`.
template <class Result, class Type, class Create>
int createThread(Management<Type>& management, const void* caller, const pthread_t* id,
                 const pthread_attr_t* attributes, Routine<Result> routine, void* argument,
                 const Create& create) {
    begin();  // in a constructor of a library, for one
    if (!recordingIsOpen.load(std::memory_order_relaxed) || !mayAskKernel()) return create(routine, argument);
    Start* const start = makeStart(attributes, reinterpret_cast<const void*>(routine), argument, caller);
    if (start == nullptr) return create(routine, argument);
    const std::uint32_t number = start->number;  // the new thread frees the rest
    const RegionRef region = number != 0 ? management.region() : 0;
    if (number != 0) {
        threads::prepareSynchronization();
        enter(region);
        record<RecordKind::ThreadCreate>(number);
        expect(number);
    }
    expectThread();
    const int error = create(&run<Result>, start);
    if (error != 0) noteExpectedThread();
    if (error != 0) std::free(start);
    if (number != 0) {
        if (error == 0)
            rememberCreated(id, number);
        else
            forgetExpected(number);
        leave(region);
    }
    return error;
}

constinit Management<int(pthread_t*, const pthread_attr_t*, Routine<void*>, void*)> createPosix(
    "pthread_create", Role::ThreadCreate);
constinit Management<int(thrd_t*, Routine<int>, void*)> createC11("thrd_create", Role::ThreadCreate);

/// A function that waits for the end of a thread.
template <class Result, class... Until>
class Join {
  public:
    explicit constexpr Join(const char* name) : management_(name, Role::ThreadWait) {}

    /// Nothing here may need cleaning up: the thread can end while it waits (cancellation).
    int operator()(const void* caller, pthread_t id, Result* result, Until... until) {
        auto* const join = management_.behind(caller);
        if (!recording() || code::isRuntime(caller)) return join(id, result, until...);
        std::uint32_t number = numberOf(id);
        enter(management_.region());
        awaits({number, 0, 0, awaitedCode(AwaitedKind::ThreadEnd)});  // 0: not known
        const int error = join(id, result, until...);
        if (number == 0) number = numberOf(id);
        if (error == 0 && number != 0) {
            record<RecordKind::ThreadWait>(number);
            forget(id, number);
        }
        leave(management_.region());
        return error;
    }

    /// For the function of C11.
    int ofC11(const void* caller, pthread_t id, Result* result) {
        if (management_.isAnothers(caller)) return management_.behind(caller)(id, result);
        return (*this)(caller, id, result);
    }

    /// For the function that does not wait: nothing is recorded of it before the thread has ended.
    int tryOnce(const void* caller, pthread_t id, Result* result) {
        auto* const join = management_.behind(caller);
        if (!recording() || code::isRuntime(caller)) return join(id, result);
        std::uint32_t number = numberOf(id);  // before, as the id may be another one's later
        const int error = join(id, result);
        if (error == 0 && number == 0) number = numberOf(id);  // it has begun meanwhile
        if (error != 0 || number == 0) return error;
        enter(management_.region());
        record<RecordKind::ThreadWait>(number);
        forget(id, number);
        leave(management_.region());
        return error;
    }

  private:
    Management<int(pthread_t, Result*, Until...)> management_;
};

constinit Join<void*> join("pthread_join"), joinIfEnded("pthread_tryjoin_np");
constinit Join<void*, const timespec*> joinUntil("pthread_timedjoin_np");
constinit Join<void*, clockid_t, const timespec*> joinUntilBy("pthread_clockjoin_np");
constinit Join<int> joinC11("thrd_join");

}  // namespace

void watchEnd(Thread& thread) noexcept {
    if (roundsBefore < 0) roundsBefore = kRoundsBefore;
    pthread_setspecific(endKey(), &thread);
}

}  // namespace holos::tracing::core

HOLOS_INTERPOSED int pthread_create(pthread_t* id, const pthread_attr_t* attributes, void* (*routine)(void*),
                                    void* argument) {
    const void* const caller = HOLOS_CALLER();
    return holos::tracing::core::createThread(holos::tracing::core::createPosix, caller, id, attributes,
                                              routine, argument, [=](auto* begin, void* with) {
                                                  return holos::tracing::core::createPosix.behind(caller)(
                                                      id, attributes, begin, with);
                                              });
}
HOLOS_INTERPOSED int thrd_create(thrd_t* id, thrd_start_t routine, void* argument) {
    const void* const caller = HOLOS_CALLER();
    if (holos::tracing::core::createC11.isAnothers(caller))
        return holos::tracing::core::createC11.behind(caller)(id, routine, argument);
    return holos::tracing::core::createThread(holos::tracing::core::createC11, caller, id, nullptr, routine,
                                              argument, [=](auto* begin, void* with) {
                                                  return holos::tracing::core::createC11.behind(caller)(
                                                      id, begin, with);
                                              });
}
HOLOS_INTERPOSED int thrd_join(thrd_t id, int* result) {
    const void* const caller = HOLOS_CALLER();
    return holos::tracing::core::joinC11.ofC11(caller, id, result);
}

HOLOS_INTERPOSED int pthread_join(pthread_t id, void** result) {
    return holos::tracing::core::join(HOLOS_CALLER(), id, result);
}
HOLOS_INTERPOSED int pthread_tryjoin_np(pthread_t id, void** result) noexcept {
    return holos::tracing::core::joinIfEnded.tryOnce(HOLOS_CALLER(), id, result);
}
HOLOS_INTERPOSED int pthread_timedjoin_np(pthread_t id, void** result, const timespec* until) {
    return holos::tracing::core::joinUntil(HOLOS_CALLER(), id, result, until);
}
HOLOS_INTERPOSED int pthread_clockjoin_np(pthread_t id, void** result, clockid_t clock,
                                          const timespec* until) {
    return holos::tracing::core::joinUntilBy(HOLOS_CALLER(), id, result, clock, until);
}
