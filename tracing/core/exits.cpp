// SPDX-License-Identifier: BSD-3-Clause
// The ways to end a program that do not run its exit handlers.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>

#include "tracing/core/process.h"

#define HOLOS_INTERPOSED extern "C" __attribute__((visibility("default"), noreturn))

namespace {

[[noreturn]] void endAnd(const char* function, int status) {
    holos::tracing::core::end();
    using Exit = void (*)(int);
    if (const auto leave = reinterpret_cast<Exit>(::dlsym(RTLD_NEXT, function)); leave != nullptr)
        leave(status);
    std::abort();
}

}  // namespace

HOLOS_INTERPOSED void _exit(int status) {
    endAnd("_exit", status);
}
HOLOS_INTERPOSED void _Exit(int status) noexcept {
    endAnd("_Exit", status);
}
