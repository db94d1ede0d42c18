// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/code/loaded/unwind_table.h"
#include "tracing/recorder/stacks/python/layout.h"
#include "tracing/recorder/stacks/walk/code_owner.h"

namespace holos::tracing::stacks::python {

/// An interpreter of CPython that is loaded, as far as its threads' functions are looked at.
struct Interpreter {
    Layout layout;
    std::uint64_t runtime = 0;       ///< its state
    std::uint64_t codeType = 0;      ///< the type of code objects
    std::uint64_t textType = 0;      ///< of texts
    void* (*ownThread)() = nullptr;  ///< the calling thread's state, as the interpreter knows it
    std::uint64_t loopBegin = 0;     ///< the function that runs Python functions
    std::uint64_t loopEnd = 0;
    std::uint64_t fileBegin = 0;
    bool isWholeFile = false;  ///< there is nothing in the file but the interpreter
};

/// The one whose code was met on a stack; null where there is none, or one that is not known.
/// Async-signal-safe.
const Interpreter* interpreter() noexcept;

/// Whose the code at an address of a file is, which is not a runtime's or the system's. An interpreter is
/// found here.
CodeOwner ownerIn(const code::LoadedFile& file, std::uint64_t address) noexcept;

/// The recorder's: says once that the calls are those of the interpreter. `version`: as in `Py_Version`; 0
/// where it has none.
void reportUnknownInterpreter(std::uint64_t version) noexcept;

}  // namespace holos::tracing::stacks::python
