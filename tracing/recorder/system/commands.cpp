// SPDX-License-Identifier: BSD-3-Clause
// Commands that the C library starts itself, with the environment of the process: nobody sees what it calls
// for that. `system` waits for their end, and puts the thread to sleep as the functions of functions.cpp.
#include <cstdio>

#include "tracing/recorder/core/preloaded.h"
#include "tracing/recorder/interpose/next_function.h"
#include "tracing/recorder/system/sleeper.h"

namespace {

using holos::tracing::core::prepareCommand;
using holos::tracing::system::Purpose;
using holos::tracing::system::Sleeper;
using holos::tracing::system::Word;

constinit Sleeper nextSystem("system", "system", Purpose::Sleep);
constinit holos::tracing::interpose::Next<std::FILE*(const char*, const char*)> nextPopen("popen");

}  // namespace

// The compiler's name differs from the linker's: a header declares the latter with other types.
extern "C" __attribute__((visibility("default")))
Word call_system(Word, Word, Word, Word, Word, Word) __asm__("system");
Word call_system(Word a, Word b, Word c, Word d, Word e, Word f) {
    prepareCommand();
    return nextSystem.call(__builtin_return_address(0), a, b, c, d, e, f);
}

extern "C" __attribute__((visibility("default"))) std::FILE* popen(const char* command, const char* mode) {
    prepareCommand();
    return nextPopen.behind(__builtin_return_address(0))(command, mode);
}

/// Before the recorder begins.
__attribute__((constructor(101))) static void findCommands() {
    nextSystem.find();
}
