// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/interpose/confinement.h"

#include <sys/prctl.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

#include "tracing/interpose/next_function.h"

namespace holos::tracing::interpose {
namespace {

std::atomic<bool> confined{false};

constinit NextFunction next("prctl");

}  // namespace

bool isConfined() noexcept {
    return confined.load(std::memory_order_relaxed);
}

}  // namespace holos::tracing::interpose

/// A register that holds a parameter or a result.
using Word = std::uint64_t;
static_assert(sizeof(Word) == sizeof(void*));

// Without privileges a program must promise to gain none before it can confine itself; how it does that then,
// such as by a system call of its own, is not seen.
extern "C" __attribute__((visibility("default")))
Word call_prctl(Word, Word, Word, Word, Word) __asm__("prctl");
Word call_prctl(Word option, Word a, Word b, Word c, Word d) {
    using namespace holos::tracing::interpose;
    using Function = Word(Word, Word, Word, Word, Word);
    const auto what = static_cast<int>(option);
    if (what == PR_SET_SECCOMP || what == PR_SET_NO_NEW_PRIVS)
        confined.store(true, std::memory_order_relaxed);
    auto* const function = reinterpret_cast<Function*>(next.behind(__builtin_return_address(0)));
    if (function != nullptr) return function(option, a, b, c, d);
    errno = ENOSYS;
    return ~Word{0};
}
