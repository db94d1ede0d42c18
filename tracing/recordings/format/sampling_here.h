// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace holos::tracing::stacks {

/// Why this build takes no samples of the call stack; null where it does. They need registers whose names are
/// known.
constexpr const char* whyNoSamples() noexcept {
#if !defined(__x86_64__) && !defined(__aarch64__)
    return "samples of the call stack are taken on x86-64 and aarch64 alone";
#else
    return nullptr;
#endif
}

}  // namespace holos::tracing::stacks
