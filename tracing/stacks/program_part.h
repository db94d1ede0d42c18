// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "tracing/stacks/stack_walk.h"

namespace holos::tracing::stacks {

/// Whose code a function is: the program's with its libraries, the system's (C library, loader), or that of a
/// runtime (OpenMP, MPI, the recorder). An interpreter's is told apart where its functions can be shown
/// instead.
enum class CodeOwner : std::uint8_t { Program, System, Runtime, Interpreter, InterpreterLoop };

constexpr bool isOfInterpreter(CodeOwner owner) {
    return owner == CodeOwner::Interpreter || owner == CodeOwner::InterpreterLoop;
}

/// `address`: of the code.
CodeOwner ownerOf(const LoadedFile& file, std::uint64_t address) noexcept;
/// The same; code that is of no file is the program's. While a `FileTableUse` lives.
CodeOwner ownerOf(std::uint64_t address) noexcept;

/// Some of the functions on a stack.
struct ProgramPart {
    std::span<const Frame> functions;
    /// Nothing of what was walked lies around them: who called the last one is what the walk's end says.
    bool isLast = false;
};

/// The functions on a stack, the innermost first, that lie in the region in which the thread is.
///
///     poll, libmpi, libmpi, MPI_Send of the recorder | exchange, solve, main | start code    MPI_Send
///     exp, kernel, share | libgomp, recorder, libgomp, start_thread                           parallel
///     region
///                 of them: the first part between runtimes in which there is code of the program
///
/// Without the system's code that calls `main` and threads, where the walk came there. `region`: the stack
/// pointer where the innermost function of the program that the recorder was told of began its call to say
/// so; it is the last one then. 0: no such function. Empty when there is no code of the program.
ProgramPart programPart(std::span<const Frame> frames, WalkEnd end, const CodeOwner* owners,
                        std::uint64_t region) noexcept;

}  // namespace holos::tracing::stacks
