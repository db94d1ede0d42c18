// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/core/events.h"

/// Access to the runtime behind the interposed entry points of libgomp.
namespace holos::tracing::openmp {

/// The runtime's own function; null when no OpenMP runtime is loaded.
void* originalAddress(const char* name) noexcept;
template <class Function>
Function* original(const char* name) noexcept {
    return reinterpret_cast<Function*>(originalAddress(name));
}

/// True when the runtime reports what it does through OMPT: then the entry points only pass through.
bool runtimeReports() noexcept;

/// The calling thread begins a `single` of gcc's, of which a runtime that reports never sees the end.
extern thread_local bool singleHasNoEnd __attribute__((tls_model("initial-exec")));

/// Whether an interposed entry point records. Asked first in each.
inline bool gompRecords() noexcept {
    return recording() && !runtimeReports();
}

}  // namespace holos::tracing::openmp

#define HOLOS_INTERPOSED extern "C" __attribute__((visibility("default")))
