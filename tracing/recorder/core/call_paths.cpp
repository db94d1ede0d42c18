// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/call_paths.h"

#include <utility>

// Made by the linker: the start of this library and the end of its code.
extern "C" __attribute__((visibility("hidden"))) const char __ehdr_start;
extern "C" __attribute__((visibility("hidden"))) const char etext;

namespace holos::tracing::core {
namespace {

thread_local const void* called __attribute__((tls_model("initial-exec"))) = nullptr;

}  // namespace

const void* callerOf(const void* returnAddress) noexcept {
    const bool isOwn = returnAddress >= &__ehdr_start && returnAddress < &etext;
    return isOwn ? called : returnAddress;
}

const void* Calling::replace(const void* place) noexcept {
    return std::exchange(called, place);
}

}  // namespace holos::tracing::core
