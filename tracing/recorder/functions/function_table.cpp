// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/functions/function_table.h"

#include <limits>
#include <mutex>

#include "tracing/recorder/core/confining.h"
#include "tracing/recorder/core/floating_point.h"
#include "tracing/recorder/core/held_signals.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recordings/format/settings.h"

namespace holos::tracing::functions {

constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();
constinit std::uint32_t callsToJudge = kNever;

namespace {

std::uint32_t readCallsToJudge() noexcept {
    const std::uint32_t calls = core::settings().throttle;
    return calls == 0 ? kNever : calls;
}

/// What is known when the library is loaded. What a tick is worth follows from both clocks then and now.
const struct Begin {
    Begin() noexcept { callsToJudge = readCallsToJudge(); }
    std::uint64_t ticks = clockTicks();
    std::int64_t nanoseconds = clockNow();
} atLoad;

double nanosecondsPerTick() noexcept {
    const auto ticks = static_cast<double>(clockTicks() - atLoad.ticks);
    return ticks > 0 ? static_cast<double>(clockNow() - atLoad.nanoseconds) / ticks : 1;
}

/// Calls that take less on average are tiny.
double tinyNanoseconds() noexcept {
    return core::settings().throttleBelow * 1000;
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

std::array<Function, kMostFunctions> functions;

namespace {

std::mutex mutex;

[[gnu::noinline, gnu::cold]] Function* define(const void* address, const void* begin) {
    const core::HeldSignals held;
    const std::scoped_lock lock(mutex);
    Function* const function = placeOf(address);
    if (function == nullptr || function->address.load(std::memory_order_relaxed) != nullptr) return function;
    function->region = defineRegionAt(begin, {"function", nullptr, 0, 0, Paradigm::Compiler, Role::Function});
    function->isRecorded.store(function->region != 0, std::memory_order_relaxed);
    function->address.store(address, std::memory_order_release);
    return function;
}

}  // namespace

Function* functionAt(const void* address, const void* begin) noexcept {
    Function* const known = knownFunction(address);
    if (known != nullptr) return known;
    if (core::mayAskKernel()) return define(address, begin);
    core::countLost(kEventsOfCall);
    return nullptr;
}

}  // namespace holos::tracing::functions
