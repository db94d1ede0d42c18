// SPDX-License-Identifier: BSD-3-Clause
#include <pthread.h>

#include <atomic>

#include "tracing/code/loaded/runtimes.h"
#include "tracing/recorder/core/call_paths.h"
#include "tracing/recorder/core/counting.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/locks.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recorder/interpose/next_function.h"
#include "tracing/recordings/format/settings.h"

// What only the first of several threads does, while the others wait for it: pthread_once, and
// std::call_once, which calls it. The C library lets them sleep without a function that could be interposed.
namespace holos::tracing::threads {
namespace {

using Routine = void();

/// A call that has not returned yet.
struct Once {
    const pthread_once_t* control;
    Routine* routine;
    Once* outer;  ///< what the routine calls may call such functions, too
    bool hasRun = false;
};
thread_local Once* innermost __attribute__((tls_model("initial-exec"))) = nullptr;

/// In place of the program's own: ends the waiting of others.
void runRoutine() {
    Once& once = *innermost;
    once.hasRun = true;
    once.routine();
    if (Lock* const place = awaitedPlaceAt(once.control, WaitPlace::Word); place != nullptr)
        recordWake(*place);
}

/// How the C library's control says what is known: as bits.
constexpr int kRunning = 1;
constexpr int kDone = 2;

constinit interpose::Next<int(pthread_once_t*, Routine*)> nextOnce("pthread_once");

/// Whoever comes first defines it; others that do so, too, get the same.
RegionRef region() {
    static std::atomic<RegionRef> known{0};
    RegionRef defined = known.load(std::memory_order_relaxed);
    if (defined != 0) return defined;
    defined = defineRegion({"pthread_once", "system", 0, 0, Paradigm::System, Role::Wrapper});
    known.store(defined, std::memory_order_relaxed);
    return defined;
}

/// One call of `pthread_once`, which ends also where its routine throws.
class Call {
  public:
    explicit Call(Once& once) : once_(once) { innermost = &once; }
    ~Call() { innermost = once_.outer; }
    Call(const Call&) = delete;

  private:
    const Once& once_;
};

int callOnce(const void* caller, pthread_once_t* control, Routine* routine) {
    auto* const next = nextOnce.behind(caller);
    const int state = __atomic_load_n(control, __ATOMIC_ACQUIRE);
    if ((state & kDone) != 0 || !recording() || code::isRuntime(caller) ||
        core::settings().sleep == core::Sleeps::None)
        return next(control, routine);
    Lock* const place = (state & kRunning) != 0 ? waitPlaceAt(control, WaitPlace::Word) : nullptr;
    const std::uint64_t begin = clockTicks();
    Once once{control, routine, innermost};
    int result = 0;
    {
        const Call call(once);
        const Waiting waiting(place);
        result = next(control, &runRoutine);
    }
    if (place != nullptr && !once.hasRun) core::passed(region(), begin, nullptr, place);
    return result;
}

}  // namespace
}  // namespace holos::tracing::threads

HOLOS_INTERPOSED int pthread_once(pthread_once_t* control, void (*routine)()) {
    return holos::tracing::threads::callOnce(HOLOS_CALLER(), control, routine);
}
