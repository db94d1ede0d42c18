// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>

#include "tracing/recorder/core/call_paths.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/interpose/next_function.h"

/// Access to the runtime behind the interposed entry points of libgomp.
namespace holos::tracing::openmp {

/// A function's name as a template's argument.
template <std::size_t kSize>
struct FunctionName {
    char text[kSize];
    consteval FunctionName(const char (&name)[kSize]) noexcept { std::copy_n(name, kSize, text); }
};

/// The function of the OpenMP runtime that the code at `caller` is linked with: a process can have several.
template <class Function, FunctionName kName>
Function* original(const void* caller) noexcept {
    static constinit interpose::Next<Function> next(kName.text);
    return next.behind(caller);
}

/// True when the caller's runtime reports what it does through OMPT: then the entry points only pass through.
bool runtimeReports(const void* caller) noexcept;

/// The calling thread begins a `single` of gcc's, of which a runtime that reports never sees the end.
extern thread_local bool singleHasNoEnd __attribute__((tls_model("initial-exec")));

/// Whether an interposed entry point records. Asked first in each.
inline bool gompRecords(const void* caller) noexcept {
    return recording() && !runtimeReports(caller);
}

}  // namespace holos::tracing::openmp
