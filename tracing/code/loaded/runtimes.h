// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace holos::code {

/// Whether code belongs to a runtime system (OpenMP, MPI and what they use), whose own threads and locks are
/// not the program's. Quick after the first time.
bool isRuntime(const void* code) noexcept;

/// Whether a loaded file, by its name alone, is a runtime system's. Async-signal-safe.
bool isRuntimeFile(const char* path) noexcept;

/// Whether a loaded file is the system's, which calls `main` and the functions of threads. As above.
bool isSystemFile(const char* path) noexcept;

/// Whether code is of such a file: a function may have the name of one of the C library, and be another.
bool isSystem(const void* code) noexcept;

/// Whether it moves parts of stacks away and back, as Python's greenlets: what lies above the functions that
/// it calls need not be what called them. As above.
bool swapsStacks(const char* path) noexcept;

/// Whether it is LLVM's OpenMP, or Intel's, by the name that it has in distributions and packages of Python.
/// As above.
bool isOpenMpOfLlvm(const char* path) noexcept;

/// Whether it is an OpenMP of any compiler. As above.
bool isOpenMp(const char* path) noexcept;

/// The file with this code; empty where it is the program itself, and null where it is not known.
const char* fileOf(const void* code) noexcept;

/// Whether it is the loader of programs and libraries. As above.
bool isLoaderFile(const char* path) noexcept;

}  // namespace holos::code
