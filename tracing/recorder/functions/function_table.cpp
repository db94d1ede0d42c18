// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/functions/function_table.h"

#include <mutex>

#include "tracing/recorder/core/confining.h"
#include "tracing/recorder/core/held_signals.h"
#include "tracing/recorder/core/process.h"

namespace holos::tracing::functions {

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
