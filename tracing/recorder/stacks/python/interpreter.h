// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "tracing/code/loaded/frame_rules.h"
#include "tracing/recorder/stacks/walk/code_owner.h"

namespace holos::tracing::stacks::python {

/// Where an interpreter of CPython keeps what leads from a thread to its Python functions and to their names:
/// offsets in bytes.
struct Layout {
    /// In the interpreter's own state (`_PyRuntime`).
    struct {
        std::uint32_t finalizing;
        std::uint32_t interpreters;  ///< the first of the list
    } runtime;
    /// In the state of one of several interpreters. `threads` is the first of the list of its threads'
    /// states.
    struct {
        std::uint32_t next;
        std::uint32_t threads;
    } interpreter;
    /// In a thread's state. `frames` is the innermost frame, or the innermost control block where there are
    /// such.
    struct {
        std::uint32_t frames;
        std::uint32_t threadId;
        std::uint32_t next;
    } thread;
    /// In the block that each call of the interpreter's loop has on the native stack (`_PyCFrame`,
    /// until 3.12).
    struct {
        bool exists;
        std::uint32_t frame;
        std::uint32_t previous;
    } control;
    /// In a frame, which is a Python function that runs. The outermost one of each call of the loop has a
    /// flag (3.11); later a frame of no function lies behind it on the native stack.
    struct {
        bool hasEntryFlag;
        std::uint32_t entryFlag;
        std::uint32_t code;
        std::uint32_t instruction;
        std::uint32_t previous;
    } frame;
    struct {
        std::uint32_t file;
        std::uint32_t name;
        std::uint32_t lineTable;
        std::uint32_t firstLine;
        std::uint32_t instructions;
    } code;
    struct {
        std::uint32_t type;
    } object;
    struct {
        std::uint32_t size;
        std::uint32_t data;
    } bytes;
    /// Characters follow a header, which is longer where there are others than those of ASCII.
    struct {
        std::uint32_t length;
        std::uint32_t state;
        std::uint32_t shortHeader;
        std::uint32_t longHeader;
    } text;
};

/// How much of an interpreter's own state is looked at for that.
inline constexpr std::size_t kLookedAtWords = 96;

/// `version`: as in `Py_Version`. 3.11 and 3.12 are known; later ones publish a table (`_Py_DebugOffsets`) at
/// the start of `runtime`, which is believed where it can be true. None of other versions.
std::optional<Layout> layoutOf(std::uint64_t version,
                               std::span<const std::uint64_t, kLookedAtWords> runtime) noexcept;

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
