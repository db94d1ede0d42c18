// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

namespace holos {

/// Somebody has asked work to end before it is done. Not an error.
struct Stopped {};

/// Throws `Stopped` once `stopped` is true; null: never.
inline void throwIfStopped(const std::atomic<bool>* stopped) {
    if (stopped != nullptr && *stopped) throw Stopped();
}

}  // namespace holos
