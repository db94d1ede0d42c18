// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tracing/filter/filter.h"

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

/// Functions of files whose path contains one of these are no functions of the program: the system's headers,
/// and Holos's own module of Fortran, which has no words to say so.
inline constexpr std::array kForeignFiles{"/usr/include", "/usr/lib/gcc", "holos.f90"};

/// A function without loops and calls that has fewer instructions takes less time than recording it does.
inline constexpr unsigned kUsualSmallest = 40;

struct Rules {
    filter::Filter filter;
    unsigned smallest = kUsualSmallest;
    bool isFortran = false;
};

/// Whether the rules let a function tell of itself. Never those that only the compiler knows: bodies of
/// OpenMP's constructs, which are recorded as such, what calls others for it, and what chooses the copy of a
/// function that fits the processor, which the loader calls.
bool isWanted(const AssembledFunction& function, const Rules& rules);

using Words = std::vector<std::string>;

/// One of the programs that gcc runs to compile: its compilers, the assembler, the linker.
struct CompilerStep {
    Words command;
    std::string assembly;  ///< the file that it writes and that is to be `instrumented`, `-` for its output;
                           ///< empty: none
    bool isFortran = false;
};

/// The step with what instruments functions after inlining added to the commands of compilers of C, C++ and
/// Fortran; before inlining where the other does not serve: for link-time optimisation, other sizes of
/// addresses, and together with gprof.
CompilerStep instrumentedStep(const Words& command, const filter::Filter& filter);

/// gcc's options that instrument functions before inlining, as far as they can say what is left out.
Words optionsBeforeInlining(const filter::Filter& filter);

}  // namespace holos::instrumentation
