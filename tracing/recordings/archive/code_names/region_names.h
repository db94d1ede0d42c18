// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "tracing/code/debug/source_functions.h"
#include "tracing/code/symbols.h"
#include "tracing/recordings/archive/process/recorded_process.h"

namespace holos::archive {

/// Corrects an OpenMP region, whose file and line are known, by the source line, where it can be read.
///
/// gcc asks libgomp in the same way for an explicit barrier and for the one at the end of `single`: the
/// barrier is explicit where the program says `barrier`. The calls for a construct have the line of what
/// stands before it (`tracing/code/openmp_directives.h`). Loops of Fortran programs are `!$omp do`.
/// `isOutlinedBody`: the region's place is in a function that a compiler made of a construct's body; where
/// that is a call and nothing else, it has the line of the call. `call`: what is known around the call that
/// the region is known by.
void correctFromSource(RecordedRegion& region, bool isOutlinedBody,
                       const std::function<code::CallLines()>& call);

/// Fills in what is known of a region that was defined by an address. A function takes its own name; an
/// OpenMP construct becomes `NAME @FILE:LINE`, or `NAME @FUNCTION+0xOFFSET` where there is no line (no offset
/// when it is 0), or `NAME @FILE+0xADDRESS` where there is no function. Afterwards the region has no address.
void resolve(RecordedRegion& region, code::Symbols& symbols);

}  // namespace holos::archive
