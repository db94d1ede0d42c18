// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/support/trace_builder.h"

namespace holos::testing {

/// From the tick on a location is recorded no longer, or again.
inline LocationScript::Record switched(TraceBuilder& trace, Tick tick, OTF2_MeasurementMode mode) {
    return [time = trace.timestamp(tick), mode](OTF2_EvtWriter* out) {
        return OTF2_EvtWriter_MeasurementOnOff(out, nullptr, time, mode);
    };
}

}  // namespace holos::testing
