// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "tracing/counters/perf_event_names.h"

namespace holos::counters {

/// Accesses to one place in memory, as perf names them: `mem:ADDRESS`, `mem:ADDRESS/BYTES`, behind it `:` and
/// which of them count, of `r`, `w`, `x` (`rw` where nothing is said), and `:` and domains. Nothing for other
/// names; a problem where there cannot be such an event.
std::optional<PerfEvent> findBreakpoint(const std::string& name);

/// False where the kernel accepts breakpoints that then never count, as in some virtual machines: tried once,
/// by writing to a variable of ours.
bool breakpointsCount();

}  // namespace holos::counters
