// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "tracing/filter/filter.h"

namespace holos::instrumentation {

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
