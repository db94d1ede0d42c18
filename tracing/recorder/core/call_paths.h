// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/thread.h"

/// Where in the program a call comes from.
///
/// The recorder stands between a runtime system and functions of the program, such as that of a thread. Where
/// a compiler makes a jump of the last call of such a function, the call returns into the recorder.
namespace holos::tracing::core {

/// The place behind the call that returns to `returnAddress`. Where that is the recorder's own code: a place
/// in the function of the program that the recorder called last; null when it called none.
const void* callerOf(const void* returnAddress) noexcept;

/// In an interposed function: where in the program its call stands.
#define HOLOS_CALLER() holos::tracing::core::callerOf(__builtin_return_address(0))

/// While one exists, the recorder calls this function of the program.
class Calling {
  public:
    template <class Function>
    explicit Calling(Function* function) noexcept
        : outer_(replace(reinterpret_cast<const char*>(function) + 1)) {}  // its first instruction is before
    ~Calling() { replace(outer_); }
    Calling(const Calling&) = delete;
    Calling& operator=(const Calling&) = delete;

    static const void* replace(const void* place) noexcept;

  private:
    const void* outer_;
};

}  // namespace holos::tracing::core

namespace holos::tracing::core {

/// Where a thread is in a function: behind a call that it made.
struct CodePlace {
    std::uint64_t pc = 0;  ///< the address that the call returns to
    std::uint64_t sp = 0;  ///< the stack pointer before the call
    std::uint64_t fp = 0;  ///< the frame pointer's register, whatever the function uses it for
    friend bool operator==(const CodePlace&, const CodePlace&) = default;
};

/// Where the function is that asks. True while it goes on in that function.
#if defined(__x86_64__)
[[gnu::always_inline]] inline CodePlace placeHere() noexcept {
    CodePlace place;
    asm volatile(
        "leaq 0f(%%rip), %0\n\t"
        "movq %%rsp, %1\n\t"
        "movq %%rbp, %2\n"
        "0:"
        : "=&r"(place.pc), "=&r"(place.sp), "=&r"(place.fp));
    return place;
}
#elif defined(__aarch64__)
[[gnu::always_inline]] inline CodePlace placeHere() noexcept {
    CodePlace place;
    asm volatile(
        "adr %0, 0f\n\t"
        "mov %1, sp\n\t"
        "mov %2, x29\n"
        "0:"
        : "=&r"(place.pc), "=&r"(place.sp), "=&r"(place.fp));
    return place;
}
#else
[[gnu::always_inline]] inline CodePlace placeHere() noexcept {
    return {};  // `whyNoSamples`
}
#endif

}  // namespace holos::tracing::core

namespace holos::tracing::stacks {

/// The calls that led to an event, and samples: what the recorder asks of `tracing/recorder/stacks`, which
/// stands above it and defines these functions.

/// Chooses what interrupts threads (`Settings::stackSamples`) and prepares the signal for it. What cannot be
/// is written down as trouble, and nothing is sampled then. Called once, before threads are recorded.
void prepare() noexcept;

/// Reads how much of the calls is wanted (`Settings::callPaths`). Called once, before events.
void preparePaths() noexcept;

/// Makes ready what the calling thread's call paths need, and begins to interrupt it, as far as that was
/// chosen and is not so yet.
void startThread(core::Thread& thread) noexcept;

/// Interrupts the calling thread no more.
void stopSamples() noexcept;

/// The path to a `core::CodePlace`, in registers. The calling thread has what its paths need and is not
/// inside the recorder.
PathRef pathTo(std::uint64_t pc, std::uint64_t sp, std::uint64_t fp) noexcept;

/// The calling thread does not come back to the search for a path that it was in.
void abandonPaths() noexcept;

/// Whether both places lie on the stack that the calling thread began with; false where that is not known.
bool areOnOwnStack(const void* one, const void* other) noexcept;

/// Whether the dynamic linker is among those that called the calling thread's functions, as where it loads a
/// library and calls its constructors. False where that is not known.
bool isCalledByLoader() noexcept;

/// Whether the thread's paths are looked for now. Those of a thread that nobody saw begin, as C11's
/// `thrd_create` and `clone` make them, are from here on: its first event has one, too.
inline bool hasPaths(core::Thread& thread) noexcept {
    if (thread.state != 0 || !core::recordingIsOn.load(std::memory_order_relaxed)) return false;
    if (thread.paths == nullptr && thread.location == nullptr) [[unlikely]] {
        const core::BusyOnce busy(thread);
        core::locate(thread);
    }
    return thread.paths != nullptr;
}

/// The calls that led to the function that asks; 0 where nothing is recorded.
[[gnu::always_inline]] inline PathRef callPath() noexcept {
    if (!hasPaths(core::thisThread)) return 0;
    const core::CodePlace here = core::placeHere();
    return pathTo(here.pc, here.sp, here.fp);
}

/// The calls that led to the function with that frame (`HOLOS_OWN_FRAME`), which is still running.
[[gnu::always_inline]] inline PathRef callPathFrom([[maybe_unused]] const void* frame) noexcept {
#if defined(__x86_64__)
    if (!hasPaths(core::thisThread)) return 0;
    const auto* const words = static_cast<const std::uint64_t*>(frame);
    return pathTo(words[1], reinterpret_cast<std::uint64_t>(words + 2), words[0]);
#else
    return callPath();
#endif
}

}  // namespace holos::tracing::stacks
