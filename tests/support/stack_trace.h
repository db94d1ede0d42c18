// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/support/trace_builder.h"

namespace holos::testing {

inline constexpr auto* kParallel = "!$omp parallel @code.c:21";

/// A function that a walk of the call stack finds: its line calls what is inside.
inline OTF2_CallingContextRef stack(TraceBuilder& trace, std::string_view function, std::uint32_t line,
                                    OTF2_CallingContextRef caller = OTF2_UNDEFINED_CALLING_CONTEXT) {
    trace.region(function, {OTF2_PARADIGM_SAMPLING, OTF2_REGION_ROLE_FUNCTION, "code.c"});
    return trace.callingContext(function, line, caller);
}

}  // namespace holos::testing
