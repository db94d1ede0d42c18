// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/code/symbols.h"
#include "tracing/recordings/archive/process/recorded_process.h"

namespace holos::archive {

/// Fills in what is known of a region that was defined by an address. A function takes its own name; an
/// OpenMP construct becomes `NAME @FILE:LINE`, or `NAME @FUNCTION+0xOFFSET` where there is no line (no offset
/// when it is 0), or `NAME @FILE+0xADDRESS` where there is no function. Afterwards the region has no address.
void resolve(RecordedRegion& region, code::Symbols& symbols);

}  // namespace holos::archive
