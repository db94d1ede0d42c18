// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/code/symbols.h"

namespace holos::archive {

/// Whether the function is one by which programs tell of themselves: `holos.h`, `holos.hpp` and `holos.f90`
/// are compiled with the program, as parts of NVTX and Kokkos are, and so their functions lie in its own
/// code. Known by where it is defined; without debug information by its name.
bool isOfProgramInterface(const code::CodePlace& place);

}  // namespace holos::archive
