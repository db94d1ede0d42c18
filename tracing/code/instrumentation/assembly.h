// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace holos::instrumentation {

/// A function as gcc wrote it, after all that it inlined.
struct AssembledFunction {
    std::string symbol;         ///< as the linker knows it
    std::string file;           ///< of its source; empty without line information
    unsigned instructions = 0;  ///< what stands apart from it, because it is seldom run, included
    bool hasCalls = false;
    bool hasLoops = false;
};

/// Whether a function tells the recorder of its start and end.
using Choice = std::function<bool(const AssembledFunction&)>;

/// What gcc wrote for x86-64 with calls of `__fentry__` and `__return__`: the calls of functions that are not
/// wanted are left out, those of the others go to `__holos_begin` and `__holos_end`, which are added, so that
/// the program needs nothing else to be linked.
std::string instrumented(std::string_view assembly, const Choice& isWanted);

}  // namespace holos::instrumentation
