// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/core/clock.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <limits>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace holos::tracing {

bool clockIsTsc = false;

namespace {

/// The kernel drops the counter as its clock when it finds that the cores disagree.
[[maybe_unused]] bool kernelTrustsTsc() noexcept {
    char name[32] = {};
    const int file =
        ::open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
    if (file < 0) return true;
    const ssize_t length = ::read(file, name, sizeof name - 1);
    ::close(file);
    if (length <= 0) return true;
    return std::strncmp(name, "tsc", 3) == 0 || std::strncmp(name, "kvm-clock", 9) == 0 ||
           std::strncmp(name, "hyperv", 6) == 0;
}

bool tscIsInvariant() noexcept {
#if defined(__x86_64__)
    constexpr unsigned kPowerManagement = 0x80000007u;
    constexpr unsigned kInvariantTsc = 1u << 8;
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid(kPowerManagement, &a, &b, &c, &d)) return false;
    return (d & kInvariantTsc) != 0 && kernelTrustsTsc();
#else
    return false;
#endif
}

}  // namespace

void chooseClock() noexcept {
    clockIsTsc = tscIsInvariant();
}

const char* clockName() noexcept {
    return clockIsTsc ? "tsc" : "monotonic";
}

ClockSync synchronizeClocks() noexcept {
    constexpr int kTries = 20;
    ClockSync best{};
    auto shortest = std::numeric_limits<std::uint64_t>::max();
    for (int i = 0; i < kTries; ++i) {
        const std::uint64_t before = ticksNow();
        const std::int64_t monotonic = nanoseconds(CLOCK_MONOTONIC_RAW);
        const std::uint64_t after = ticksNow();
        if (after - before >= shortest) continue;
        shortest = after - before;
        best.ticks = before + (after - before) / 2;
        best.monotonic = monotonic;
    }
    if (!clockIsTsc) best.ticks = static_cast<std::uint64_t>(best.monotonic);
    best.realtime = nanoseconds(CLOCK_REALTIME) - (nanoseconds(CLOCK_MONOTONIC_RAW) - best.monotonic);
    return best;
}

}  // namespace holos::tracing
