// SPDX-License-Identifier: BSD-3-Clause
// The ways to end a program that do not run its exit handlers.
#include <unistd.h>

#include <cstdlib>

#include "tracing/recorder/core/process.h"
#include "tracing/recorder/interpose/next_function.h"

namespace {

using Exit = void(int);

/// Both are needed in signal handlers and in children of `vfork`, where nothing may be looked up any more.
constinit holos::tracing::interpose::Next<Exit> nextExit("_exit");
constinit holos::tracing::interpose::Next<Exit> nextC99Exit("_Exit");

__attribute__((constructor(102))) void findExits() {
    nextExit.get();
    nextC99Exit.get();
}

[[noreturn]] void endAnd(Exit* leave, int status) {
    holos::tracing::core::noteExit(holos::tracing::ExitWay::AtOnce, status);
    holos::tracing::core::end();
    leave(status);
    std::abort();
}

}  // namespace

HOLOS_INTERPOSED __attribute__((noreturn)) void _exit(int status) {
    endAnd(nextExit.behind(__builtin_return_address(0)), status);
}
HOLOS_INTERPOSED __attribute__((noreturn)) void _Exit(int status) noexcept {
    endAnd(nextC99Exit.behind(__builtin_return_address(0)), status);
}
