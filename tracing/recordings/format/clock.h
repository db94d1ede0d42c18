// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <ctime>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

/// The recorder's time: ticks of the processor's time stamp counter where it runs at one rate on all cores,
/// else nanoseconds of CLOCK_MONOTONIC_RAW. What a tick is worth is found after the run, from pairs of both
/// clocks (`ClockSync`) taken at the start and at the end of each process of a host, and now and then between
/// them for processes that are killed.
namespace holos::tracing {

/// The program may read the processor's counter, and so may the recorder, without the kernel.
extern bool clockIsTsc;
/// The program may not read the processor's counter: the kernel has to be asked for each time, past the C
/// library, which reads the counter, too.
extern std::atomic<bool> clockIsForbidden;

inline std::int64_t nanoseconds(clockid_t clock) noexcept {
    timespec now{};
    if (clockIsForbidden.load(std::memory_order_relaxed)) [[unlikely]]
        ::syscall(SYS_clock_gettime, clock, &now);
    else
        ::clock_gettime(clock, &now);
    return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

/// The processor's counter; only where `clockIsTsc`.
inline std::uint64_t ticksOfProcessor() noexcept {
#if defined(__x86_64__)
    return __rdtsc();
#else
    return 0;
#endif
}

/// By the kernel: its nanoseconds, or the ticks that the processor's counter has then.
std::uint64_t ticksByKernel() noexcept;

inline std::uint64_t ticksNow() noexcept {
    return clockIsTsc ? ticksOfProcessor() : ticksByKernel();
}

/// Chooses the clock. Called once, before the first event.
void chooseClock() noexcept;

/// The program is about to forbid itself to read the processor's counter (`PR_SET_TSC`): from now on ticks
/// are reckoned from the kernel's time. Takes up to some milliseconds, to find out what a tick is worth.
void leaveProcessorsClock() noexcept;

/// Whether a tick is a nanosecond.
bool ticksAreNanoseconds() noexcept;

/// `tsc` or `monotonic`
const char* clockName() noexcept;

struct ClockSync {
    std::uint64_t ticks;
    std::int64_t monotonic;  ///< nanoseconds of CLOCK_MONOTONIC_RAW
    std::int64_t realtime;   ///< nanoseconds of CLOCK_REALTIME
};

/// Both clocks at the same moment: the best of several tries.
ClockSync synchronizeClocks() noexcept;

}  // namespace holos::tracing
