// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/format/clock.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstring>
#include <limits>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace holos::tracing {

bool clockIsTsc = false;
std::atomic<bool> clockIsForbidden{false};

namespace {

bool isOfProcessor = false;  ///< ticks are those of its counter, read or reckoned
ClockSync first{};

/// Ticks of the processor's counter by the kernel's time: since a moment, what a nanosecond is worth times
/// 2^32.
struct Reckoning {
    std::uint64_t ticks = 0;
    std::int64_t monotonic = 0;
    std::uint64_t factor = 0;
};
Reckoning reckoning;

__extension__ using Wide = __int128;
constexpr unsigned kFactorBits = 32;

/// As for a program that was started so.
bool counterIsForbidden() noexcept {
#if defined(__x86_64__)
    int mode = 0;
    return ::prctl(PR_GET_TSC, &mode, 0, 0, 0) == 0 && mode == PR_TSC_SIGSEGV;
#else
    return false;
#endif
}

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
    clockIsForbidden.store(counterIsForbidden());
    clockIsTsc = isOfProcessor = !clockIsForbidden.load() && tscIsInvariant();
    if (clockIsTsc) first = synchronizeClocks();
}

void leaveProcessorsClock() noexcept {
    constexpr std::int64_t kLongEnough = 4'000'000;
    if (clockIsForbidden.load()) return;
    if (clockIsTsc) {
        ClockSync now = synchronizeClocks();
        while (now.monotonic - first.monotonic < kLongEnough) now = synchronizeClocks();
        const Wide ticks = static_cast<Wide>(now.ticks - first.ticks) << kFactorBits;
        reckoning = {now.ticks, now.monotonic,
                     static_cast<std::uint64_t>(ticks / (now.monotonic - first.monotonic))};
        std::atomic_signal_fence(std::memory_order_seq_cst);
        clockIsTsc = false;
    }
    clockIsForbidden.store(true);
}

std::uint64_t ticksByKernel() noexcept {
    const std::int64_t now = nanoseconds(CLOCK_MONOTONIC_RAW);
    if (!isOfProcessor) return static_cast<std::uint64_t>(now);
    const Wide since = static_cast<Wide>(now - reckoning.monotonic) * reckoning.factor;
    return reckoning.ticks + static_cast<std::uint64_t>(since >> kFactorBits);
}

bool ticksAreNanoseconds() noexcept {
    return !isOfProcessor;
}

const char* clockName() noexcept {
    return isOfProcessor ? "tsc" : "monotonic";
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
    if (ticksAreNanoseconds()) best.ticks = static_cast<std::uint64_t>(best.monotonic);
    best.realtime = nanoseconds(CLOCK_REALTIME) - (nanoseconds(CLOCK_MONOTONIC_RAW) - best.monotonic);
    return best;
}

}  // namespace holos::tracing
