// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace holos::tracing::stacks {

/// Whose code a function is: the program's with its libraries, the system's (C library, loader), or that of a
/// runtime (OpenMP, MPI, the recorder). An interpreter's is told apart where its functions can be shown
/// instead.
enum class CodeOwner : std::uint8_t { Program, System, Runtime, Interpreter, InterpreterLoop };

constexpr bool isOfInterpreter(CodeOwner owner) noexcept {
    return owner == CodeOwner::Interpreter || owner == CodeOwner::InterpreterLoop;
}

}  // namespace holos::tracing::stacks
