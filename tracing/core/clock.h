// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <ctime>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

/// The recorder's time: ticks of the processor's time stamp counter where it runs at one rate on all cores,
/// else nanoseconds of CLOCK_MONOTONIC_RAW. What a tick is worth is found after the run, from pairs of both
/// clocks (`ClockSync`) taken at the start and at the end of each process of a host.
namespace holos::tracing {

extern bool clockIsTsc;

inline std::int64_t nanoseconds(clockid_t clock) noexcept {
    timespec now{};
    clock_gettime(clock, &now);
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

inline std::uint64_t ticksNow() noexcept {
    if (clockIsTsc) return ticksOfProcessor();
    return static_cast<std::uint64_t>(nanoseconds(CLOCK_MONOTONIC_RAW));
}

/// Chooses the clock. Called once, before the first event.
void chooseClock() noexcept;

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
