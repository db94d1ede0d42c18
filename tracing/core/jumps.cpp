// SPDX-License-Identifier: BSD-3-Clause
// Jumps out of functions and calls into MPI, as an error handler of the program may do them. <setjmp.h> is
// not included: it renames the functions where the C library is to check their use.
#include <bit>
#include <cstdint>
#include <cstdlib>

#include "tracing/core/open_call.h"
#include "tracing/interpose/next_function.h"

/// Of `tracing/functions`: functions of the program below that frame have ended.
extern "C" void holos_unwound(const void* frame);

namespace {

using Jump = void(const std::uint64_t*, int);

constinit holos::tracing::interpose::Next<Jump> nextLong("longjmp");
constinit holos::tracing::interpose::Next<Jump> nextPlain("_longjmp");
constinit holos::tracing::interpose::Next<Jump> nextWithSignals("siglongjmp");
constinit holos::tracing::interpose::Next<Jump> nextChecked("__longjmp_chk");

/// Jumps are made in signal handlers, too, where nothing may be looked up.
__attribute__((constructor(102))) void findJumps() {
    for (auto* next : {&nextLong, &nextPlain, &nextWithSignals, &nextChecked}) next->get();
}

/// Where the stack is after the jump; null where that is not known.
const char* stackAfter([[maybe_unused]] const std::uint64_t* buffer) noexcept {
#if defined(__x86_64__) && defined(__GLIBC__)
    constexpr int kStackPointer = 6;
    constexpr int kRotated = 17;  // glibc keeps addresses rotated, and mixed with a number of the process
    std::uint64_t guard = 0;
    asm("mov %%fs:0x30, %0" : "=r"(guard));
    const std::uint64_t address = std::rotr(buffer[kStackPointer], kRotated) ^ guard;
    return reinterpret_cast<const char*>(address);  // NOLINT(performance-no-int-to-ptr)
#else
    return nullptr;
#endif
}

[[noreturn]] void jump(holos::tracing::interpose::Next<Jump>& next, const std::uint64_t* buffer, int value) {
    constexpr int kSavedWords = 2 * sizeof(void*);  // where the frame of what is called from there is
    if (const char* const stack = stackAfter(buffer); stack != nullptr) {
        holos::tracing::core::dropOpenCallBelow(stack);
        holos_unwound(stack - kSavedWords);
    }
    next.get()(buffer, value);
    std::abort();
}

}  // namespace

#define HOLOS_INTERPOSED extern "C" __attribute__((visibility("default"), noreturn))

HOLOS_INTERPOSED void longjmp(const std::uint64_t* buffer, int value) {
    jump(nextLong, buffer, value);
}
HOLOS_INTERPOSED void _longjmp(const std::uint64_t* buffer, int value) {
    jump(nextPlain, buffer, value);
}
HOLOS_INTERPOSED void siglongjmp(const std::uint64_t* buffer, int value) {
    jump(nextWithSignals, buffer, value);
}
HOLOS_INTERPOSED void __longjmp_chk(const std::uint64_t* buffer, int value) {
    jump(nextChecked, buffer, value);
}
