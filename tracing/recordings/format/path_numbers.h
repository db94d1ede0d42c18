// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace holos::tracing::stacks {

/// A call path of this process: the calls that led somewhere, each by the address that it returns to, or by
/// what stands for a Python function (`PythonCall`). Equal calls have equal
/// numbers, whichever thread made them.
using PathNumber = std::uint32_t;

inline constexpr PathNumber kNoPath = 0;
/// In front of paths whose outer calls could not be found.
inline constexpr PathNumber kUnknownCallers = 1;
/// In front of paths that have more calls than are kept.
inline constexpr PathNumber kMoreCallers = 2;
inline constexpr PathNumber kFirstPath = 3;
/// Of all calls whose path was one too many.
inline constexpr PathNumber kMorePaths = 0xFFFFFFFFU;
/// A process has room for so many paths, in some 64 MB.
inline constexpr PathNumber kMostPaths = 1U << 20U;
/// In place of addresses of code that is of no file, as that may become other code at any time.
inline constexpr std::uint64_t kCodeOfNoFile = 1;

/// In place of calls that are left out between the outermost and the innermost ones.
inline constexpr std::uint64_t kCallsLeftOut = 2;

}  // namespace holos::tracing::stacks

namespace holos::tracing::stacks::python {

/// Calls of Python functions in call paths and samples: in place of an address of code, which never has the
/// highest bit.

/// A Python function, by the number of its definition, and the line in it.
struct PythonCall {
    std::uint32_t function = 0;
    std::uint32_t line = 0;  ///< 0: not known
};

inline constexpr std::uint64_t kIsPython = std::uint64_t{1} << 63U;
inline constexpr std::uint32_t kMostFunctions = 1U << 24U;

constexpr bool isPython(std::uint64_t address) noexcept {
    return (address & kIsPython) != 0;
}
constexpr std::uint64_t addressOf(PythonCall call) noexcept {
    return kIsPython | std::uint64_t{call.function} << 32U | call.line;
}
constexpr PythonCall pythonCall(std::uint64_t address) noexcept {
    return {static_cast<std::uint32_t>((address & ~kIsPython) >> 32U), static_cast<std::uint32_t>(address)};
}

}  // namespace holos::tracing::stacks::python
