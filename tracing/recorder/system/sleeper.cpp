// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/system/sleeper.h"

#include <dlfcn.h>
#include <link.h>

#include <cerrno>
#include <ctime>

#include "tracing/code/loaded/runtimes.h"
#include "tracing/recorder/core/call_paths.h"
#include "tracing/recorder/core/counting.h"
#include "tracing/recorder/core/open_call.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recorder/interpose/confinement.h"
#include "tracing/recordings/format/settings.h"

namespace holos::tracing::system {
namespace {

/// Files in the order in which they were loaded. These never go, so that the list stays as it is up to there.
const link_map* first = nullptr;
const link_map* last = nullptr;

}  // namespace

void noteFirstFiles() noexcept {
    first = last = _r_debug.r_map;
    while (last != nullptr && last->l_next != nullptr) last = last->l_next;
}

bool cameWithProgram(const void* code) noexcept {
    const link_map* const file = code::libraryOf(code).map;
    if (file == nullptr) return false;
    for (const link_map* one = first; one != nullptr; one = one->l_next) {
        if (one == file) return true;
        if (one == last) break;
    }
    return false;
}

namespace {

/// What a call takes at least to be looked at: some ten microseconds, in ticks of today's processors or in
/// nanoseconds.
constexpr std::uint64_t kLongInTicks = std::uint64_t{1} << 15;
constexpr std::int64_t kLongInNanoseconds = 10'000;

/// Of whole numbers: the flags of floating-point numbers are the program's.
__extension__ using Wide = __int128;

/// Which calls are recorded; as the command asked, when the functions have been found.
constinit core::Sleeps asked = core::Sleeps::Seen;

/// How long the thread has lived and run, at one moment.
struct Moment {
    std::uint64_t ticks;
    std::int64_t elapsed;  ///< nanoseconds
    std::int64_t run;      ///< nanoseconds on a processor
};

Moment now() noexcept {
    return {ticksNow(), nanoseconds(CLOCK_MONOTONIC), nanoseconds(CLOCK_THREAD_CPUTIME_ID)};
}

/// When the thread was last looked at; no ticks before the first time.
thread_local Moment seen __attribute__((tls_model("initial-exec")));

/// The time before a call; 0 when nothing is recorded of it.
std::uint64_t beforeCall() noexcept {
    if (!recording() || asked == core::Sleeps::None || !interpose::may(interpose::Need::Storage)) return 0;
    if (seen.ticks == 0) [[unlikely]]
        seen = now();
    return ticksNow();
}

/// Of what returns at once it is not asked whether the thread slept, unless every call is recorded.
bool isLookedAt(std::uint64_t begin) noexcept {
    if (asked == core::Sleeps::All) return true;
    return ticksNow() - begin >= (ticksAreNanoseconds() ? std::uint64_t{kLongInNanoseconds} : kLongInTicks);
}

/// Whether others had the thread's processor for a while because it let them.
bool noteGivenAway(std::int64_t nanoseconds) noexcept {
    core::Location* const location = core::thisThread.location;
    if (nanoseconds < kLongInNanoseconds) return false;
    if (location != nullptr) location->givenAway.fetch_add(nanoseconds, std::memory_order_relaxed);
    return true;
}

/// Whether the thread was off the processor in a call that took long. Data that are copied take time, too,
/// and so does other work of the kernel: in a function that moves data, only who was off the processor since
/// the last look for at least half as long as the call took is taken to have slept in it. In other functions
/// a thread is busy only with what has nothing to do with them, as handlers of signals, or while the machine
/// below a virtual one does something else.
bool hasSlept(std::uint64_t begin, Purpose purpose) noexcept {
    const Moment before = seen;
    seen = now();
    const std::uint64_t ticks = seen.ticks - before.ticks;
    if (ticks == 0 || seen.ticks < begin) return false;
    const std::int64_t elapsed = seen.elapsed - before.elapsed;
    const std::int64_t slept = elapsed - (seen.run - before.run);
    if (purpose == Purpose::Yield) {
        const auto call = static_cast<std::int64_t>(Wide{elapsed} * (seen.ticks - begin) / ticks);
        return noteGivenAway(std::min(slept, call));
    }
    if (purpose == Purpose::Sleep) return slept >= kLongInNanoseconds;
    return 2 * Wide{slept} * ticks >= Wide{elapsed} * (seen.ticks - begin);
}

/// Within a call of MPI are functions that it calls back, and what it does itself, also in libraries that it
/// loads, as plug-ins that open connections: these came later than the program.
bool isPrograms(const void* caller) noexcept {
    return caller != nullptr && !code::isRuntime(caller) && (!isInOpenCall() || cameWithProgram(caller));
}

/// Whether a call that began then is recorded: one of the program's in which it slept, or any of its calls.
bool isSleep(std::uint64_t begin, const void* caller, Purpose purpose) noexcept {
    if (!recording() || !isPrograms(caller)) return false;
    const bool all = asked == core::Sleeps::All;
    if (all && purpose != Purpose::Yield) return true;
    return hasSlept(begin, purpose) || all;  // what was given away is counted in any case
}

/// Whether the thread lost its mark since somebody looked, in or before a call of the program.
bool isLostAround(const void* caller) noexcept {
    return core::hasLostMark() && recording() && isPrograms(core::callerOf(caller));
}

/// What the thread lacked before the call is told before: behind it nobody could tell that from sleep, or
/// from what others got because the thread let them.
void noteShortageBefore(const void* caller) noexcept {
    if (isLostAround(caller)) core::recordShortageSoFar(core::thisThread);
}

/// A thread that lets others have its processor has nothing to do, and lacks none until it comes back.
void noteGiving(Purpose purpose, const void* caller) noexcept {
    if (purpose == Purpose::Yield && isLostAround(caller)) core::thisThread.mark.giveAway();
}

}  // namespace

void* Sleeper::find() noexcept {
    asked = core::settings().sleep;
    void* const found = ::dlsym(RTLD_NEXT, next_.name());
    found_.store(found, std::memory_order_relaxed);
    return found;
}

template <class... Words>
auto Sleeper::functionFor(const void* caller, const Words&...) noexcept -> Word (*)(Words...) {
    using Function = Word(Words...);
    void* const found = found_.load(std::memory_order_relaxed);
    auto* const function = reinterpret_cast<Function*>(found != nullptr ? found : next_.behind(caller));
    if (function == nullptr) [[unlikely]]
        errno = ENOSYS;
    return function;
}

template <class... Words>
Word Sleeper::callAt(const Lock* place, const void* caller, Words... words) {
    auto* const function = functionFor(caller, words...);
    if (function == nullptr) [[unlikely]]
        return ~Word{0};
    // Whoever waits in the recorder may be about to record: to record that, too, it could wait for itself.
    if (purpose_ == Purpose::Yield && core::callerOf(caller) != caller) return function(words...);
    noteShortageBefore(caller);
    const std::uint64_t begin = beforeCall();
    if (begin != 0 && core::thisThread.counters != nullptr) [[unlikely]]
        return callCounting(function, place, caller, begin, words...);
    const Word result = function(words...);
    noteGiving(purpose_, caller);
    if (begin == 0) return result;
    if (isLookedAt(begin)) [[unlikely]]
        noteSleep(begin, core::callerOf(caller), result == 0 ? place : nullptr);
    return result;
}

template <class... Words>
Word Sleeper::call(const void* caller, Words... words) {
    return callAt(nullptr, caller, words...);
}

template <class... Words>
Word Sleeper::callWaking(Lock& place, const void* caller, Words... words) {
    auto* const function = functionFor(caller, words...);
    if (function == nullptr) [[unlikely]]
        return ~Word{0};
    if (beforeCall() == 0 || !isPrograms(core::callerOf(caller))) return function(words...);
    const RegionRef entered = region();
    enter(entered);
    recordWake(place);
    const Word result = function(words...);
    const int saved = errno;
    leave(entered);
    errno = saved;
    return result;
}

template Word Sleeper::call(const void*, Word, Word, Word, Word, Word, Word);
template Word Sleeper::call(const void*, Word, Word, Word, Word, Word, Word, Word);
template Word Sleeper::callAt(const Lock*, const void*, Word, Word, Word, Word, Word, Word, Word);
template Word Sleeper::callWaking(Lock&, const void*, Word, Word, Word, Word, Word, Word, Word);

template <class Function, class... Words>
[[gnu::noinline]] Word Sleeper::callCounting(Function* function, const Lock* place, const void* caller,
                                             std::uint64_t begin, Words... words) {
    core::ReadCounts counts;
    counts.isRead = false;
    const std::uint32_t shortCalls = shortCalls_.load(std::memory_order_relaxed);
    if (purpose_ == Purpose::Sleep || shortCalls < kManyShort) core::readCounts(core::thisThread, counts);
    const Word result = function(words...);
    noteGiving(purpose_, caller);
    if (!isLookedAt(begin)) {
        if (shortCalls < kManyShort) shortCalls_.store(shortCalls + 1, std::memory_order_relaxed);
        return result;
    }
    shortCalls_.store(0, std::memory_order_relaxed);
    const int saved = errno;
    if (isSleep(begin, core::callerOf(caller), purpose_))
        core::passed(region(), begin, &counts, result == 0 ? place : nullptr);
    errno = saved;
    return result;
}

void Sleeper::noteSleep(std::uint64_t begin, const void* caller, const Lock* woken) noexcept {
    const int saved = errno;
    if (isSleep(begin, caller, purpose_)) core::passed(region(), begin, nullptr, woken);
    errno = saved;
}

RegionRef Sleeper::region() noexcept {
    RegionRef known = region_.load(std::memory_order_relaxed);
    if (known != kUndefined) return known;
    known = defineRegion({shown_, "system", 0, 0, Paradigm::System, Role::Wrapper});
    region_.store(known, std::memory_order_relaxed);
    return known;
}

}  // namespace holos::tracing::system
