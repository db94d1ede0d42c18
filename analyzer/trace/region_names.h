// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/trace/definitions.h"

namespace holos::analyzer::trace {

/// Some writers put into a region's name what OTF2 has fields for. TAU's `MPI_Send()` and APEX's
/// `int MPI_Send(const void*, …)` are `MPI_Send`; of TAU's `int f(int) C [{f.c} {3,1}-{9,1}]` the file and
/// the lines 3 to 9 go where they belong, if nothing is there.
void separateName(Region& region);

}  // namespace holos::analyzer::trace
