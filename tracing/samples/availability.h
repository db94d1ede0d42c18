// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <dlfcn.h>

namespace holos::tracing::samples {

/// Why this build takes no samples of the call stack; null where it does. They need the registers of x86-64
/// and the way to unwind tables that may be gone in a signal handler, glibc's `_dl_find_object`.
constexpr const char* whyNoSamples() noexcept {
#if !defined(__x86_64__)
    return "samples of the call stack are taken on x86-64 alone";
#elif !defined(DLFO_STRUCT_HAS_EH_DBASE)
    return "samples of the call stack need glibc 2.35 or later; Holos was built with an older one";
#else
    return nullptr;
#endif
}

}  // namespace holos::tracing::samples
