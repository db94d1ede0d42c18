// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

/// Calls of Python functions in call paths and samples: in place of an address of code, which never has the
/// highest bit.
namespace holos::tracing::stacks::python {

/// A Python function, by the number of its definition, and the line in it.
struct PythonCall {
    std::uint32_t function = 0;
    std::uint32_t line = 0;  ///< 0: not known
};

inline constexpr std::uint64_t kIsPython = std::uint64_t{1} << 63U;
inline constexpr std::uint32_t kMostFunctions = 1U << 24U;

constexpr bool isPython(std::uint64_t address) {
    return (address & kIsPython) != 0;
}
constexpr std::uint64_t addressOf(PythonCall call) {
    return kIsPython | std::uint64_t{call.function} << 32U | call.line;
}
constexpr PythonCall pythonCall(std::uint64_t address) {
    return {static_cast<std::uint32_t>((address & ~kIsPython) >> 32U), static_cast<std::uint32_t>(address)};
}

}  // namespace holos::tracing::stacks::python
