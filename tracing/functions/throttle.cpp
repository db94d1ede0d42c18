// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/functions/throttle.h"

#include <cstdlib>
#include <limits>

#include "tracing/core/floating_point.h"

namespace holos::tracing::functions {

constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();
constinit std::uint32_t callsToJudge = kNever;

namespace {

constexpr std::uint32_t kUsualCalls = 100'000;
constexpr double kUsualMicroseconds = 1;

std::uint32_t readCallsToJudge() noexcept {
    const char* text = std::getenv("HOLOS_THROTTLE");
    if (text == nullptr || *text == '\0') return kUsualCalls;
    const unsigned long calls = std::strtoul(text, nullptr, 10);
    return calls == 0 || calls > kNever ? kNever : static_cast<std::uint32_t>(calls);
}

/// What is known when the library is loaded. What a tick is worth follows from both clocks then and now.
const struct Begin {
    Begin() noexcept { callsToJudge = readCallsToJudge(); }
    std::uint64_t ticks = clockTicks();
    std::int64_t nanoseconds = clockNow();
} begin;

double nanosecondsPerTick() noexcept {
    const auto ticks = static_cast<double>(clockTicks() - begin.ticks);
    return ticks > 0 ? static_cast<double>(clockNow() - begin.nanoseconds) / ticks : 1;
}

/// Calls that take less on average are tiny.
double tinyNanoseconds() noexcept {
    const char* text = std::getenv("HOLOS_THROTTLE_BELOW");
    const double microseconds = text == nullptr ? kUsualMicroseconds : std::strtod(text, nullptr);
    return microseconds * 1000;
}

[[gnu::noinline]] void compare(Function& function) noexcept {
    const double mean =
        static_cast<double>(function.ticks.load()) * nanosecondsPerTick() / function.calls.load();
    if (mean >= tinyNanoseconds()) return;
    function.isRecorded.store(false, std::memory_order_relaxed);
    throttled(function.region, function.calls.load(), mean);
}

}  // namespace

void judge(Function& function) noexcept {
    if (function.isJudged.exchange(true)) return;
    const core::KeepFloatingPoint keep;
    compare(function);
}

}  // namespace holos::tracing::functions
