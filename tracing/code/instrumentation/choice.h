// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "tracing/code/instrumentation/assembly.h"
#include "tracing/filter/filter.h"

namespace holos::instrumentation {

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

}  // namespace holos::instrumentation
