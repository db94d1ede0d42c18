// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/core/thread.h"
#include "tracing/stacks/path_tree.h"
#include "tracing/stacks/registers_here.h"

/// The calls that led to an event.
namespace holos::tracing::stacks {

/// Reads how much of them is wanted (`Settings::callPaths`). Called once, before
/// events.
void preparePaths() noexcept;

/// What the calling thread's paths need. Nothing where it has that, or none are wanted.
void startPaths(core::Thread& thread) noexcept;
/// Gives it back; the thread is at its end.
void stopPaths(core::Thread& thread) noexcept;

/// The path to `here`, of a thread that has what its paths need and is not inside the recorder.
PathNumber pathTo(const Place& here, core::Thread& thread) noexcept;

inline bool hasPaths(const core::Thread& thread) noexcept {
    return thread.paths != nullptr && thread.state == 0 &&
           core::recordingIsOn.load(std::memory_order_relaxed);
}

/// The calls that led to the function that asks; `kNoPath` where nothing is recorded.
[[gnu::always_inline]] inline PathNumber callPath() noexcept {
    return hasPaths(core::thisThread) ? pathTo(placeHere(), core::thisThread) : kNoPath;
}

/// The calls that led to the function with that frame (`HOLOS_OWN_FRAME`), which is still running.
[[gnu::always_inline]] inline PathNumber callPathFrom([[maybe_unused]] const void* frame) noexcept {
#if defined(__x86_64__)
    if (!hasPaths(core::thisThread)) return kNoPath;
    const auto* const words = static_cast<const std::uint64_t*>(frame);
    return pathTo({words[1], reinterpret_cast<std::uint64_t>(words + 2), words[0]}, core::thisThread);
#else
    return callPath();
#endif
}

}  // namespace holos::tracing::stacks
