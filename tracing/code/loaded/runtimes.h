// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <link.h>

namespace holos::code {

/// A library of this process, or the program itself.
struct Library {
    const link_map* map = nullptr;  ///< null: it is not known
    const void* begin = nullptr;    ///< where it lies in memory
};
/// The library with this code. Takes no lock from glibc 2.35 on: the caller may be a signal handler, or a
/// thread for which another one waits that loads a library.
Library libraryOf(const void* code) noexcept;

/// Whether code belongs to a runtime system (OpenMP, MPI and what they use), whose own threads and locks are
/// not the program's. Quick after the first time.
bool isRuntime(const void* code) noexcept;

/// Whether a loaded file, by its name alone, is a runtime system's. Async-signal-safe.
bool isRuntimeFile(const char* path) noexcept;

/// Whether a loaded file, by its name, is the system's: that calls `main` and threads. Async-signal-safe.
bool isSystemFile(const char* path) noexcept;

/// Whether code is the system's: a function may have the name of one of the C library, and be another.
bool isSystem(const void* code) noexcept;

/// Whether a loaded file, by its name, moves parts of stacks away and back, as Python's greenlets: what lies
/// above the functions that it calls need not be what called them. Async-signal-safe.
bool swapsStacks(const char* path) noexcept;

/// Whether a loaded file, by the name that distributions and packages of Python give it, is LLVM's OpenMP or
/// Intel's. Async-signal-safe.
bool isOpenMpOfLlvm(const char* path) noexcept;

/// Whether it is an OpenMP of any compiler. As above.
bool isOpenMp(const char* path) noexcept;

/// The file with this code; empty where it is the program itself, and null where it is not known.
const char* fileOf(const void* code) noexcept;

/// Whether a loaded file, by its name, is the loader of programs and libraries. Async-signal-safe.
bool isLoaderFile(const char* path) noexcept;

}  // namespace holos::code
