// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>

#include "tracing/recorder/core/open_call.h"

/// The instrumented functions that a thread is in, so that each end finds its start.
namespace holos::tracing::functions {

struct Function;

/// Plain data in static thread-local storage: usable at once, without initialisation. The calls themselves
/// are elsewhere, as the C library takes the room for that storage out of each thread's stack, which may be
/// small. Of calls deeper than there is room for only their number is kept.
///
/// A function can be left without its end being told: by longjmp, or, compiled by clang, by an exception.
/// That is seen by the place of its frame: stacks grow downwards, so what lies below the frame that speaks
/// now is gone. (Functions inlined into each other have one frame.)
///
/// Thread safety: one thread, the calling one, and signal handlers that interrupt it.
struct CallStack {
    static constexpr std::uint32_t kMostCalls = 256;

    struct Call {
        const void* address;
        const void* frame;   ///< the recorder's, at its start: the lower end of the function's
        Function* function;  ///< null when its start was not recorded
        std::uint64_t begin;
    };

    /// A signal handler may interrupt it at any place, and push and remove calls of its own: what it
    /// overwrites of the new call is written once more.
    void push(const Call& call) noexcept {
        Call& place = calls[depth];
        place.frame = call.frame;
        place.function = nullptr;
        std::atomic_signal_fence(std::memory_order_seq_cst);
        ++depth;
        std::atomic_signal_fence(std::memory_order_seq_cst);
        place = call;
    }

    bool isFull() const noexcept { return depth >= room; }

    /// How many calls are known.
    std::uint32_t kept() const noexcept { return depth < room ? depth : room; }

    /// Whether the innermost call lies below the frame of a function that calls the recorder now.
    bool innermostIsGone(const void* frame) noexcept {
        if (depth == 0) return false;
        if (depth <= room) return calls[depth - 1].frame < frame;
        if (room == 0 || calls[room - 1].frame >= frame) return false;
        depth = room;
        return true;
    }

    /// Whether it is the innermost call of that function that ends: what `depthBefore` says, in the usual
    /// case.
    bool innermostIs(const void* address, const void* frame) const noexcept {
        if (depth == 0 || depth > room) return false;
        const Call& call = calls[depth - 1];
        return call.address == address && call.frame == frame;
    }

    /// How many calls stay when a call of that function ends, which is the next one; `depth` when its start
    /// is not known. Of several calls it is the innermost of those whose frame is nearest below `frame`; the
    /// end of a function that took more of the stack since its start lies lower than all.
    std::uint32_t depthBefore(const void* address, const void* frame) const noexcept {
        std::uint32_t found = depth;
        for (std::uint32_t i = depth; i > 0; --i) {
            const Call& call = calls[i - 1];
            const bool isAbove = call.frame > frame;
            if (isAbove && found != depth) break;
            if (call.address != address || (found != depth && call.frame == calls[found].frame)) continue;
            found = i - 1;
            if (isAbove) break;
        }
        return found;
    }

    /// Whether the call that ends is one of those that are only counted, and counts it.
    bool endsUncounted(const void* frame) noexcept {
        if (depth <= room) return false;
        if (room == 0 || frame <= calls[room - 1].frame) {
            --depth;
            return true;
        }
        depth = room;
        return false;
    }

    std::uint32_t depth;
    std::uint32_t room;  ///< for so many `calls`; 0 until the first, without memory, and when the thread ends
    Call* calls;
};

extern constinit thread_local CallStack callStack __attribute__((tls_model("initial-exec")));

/// Makes room for the thread's first call, given back by `endCalls`. False when there is none.
bool makeRoomForCalls() noexcept;

/// The thread ends: calls that follow are only counted.
void endCalls() noexcept;

}  // namespace holos::tracing::functions
