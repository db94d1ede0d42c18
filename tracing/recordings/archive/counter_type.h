// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include "tracing/recordings/archive/recording.h"

namespace holos::archive {

/// How the values of a counter are written: what grows is never negative, a state such as a temperature may
/// be.
inline OTF2_Type typeOf(const RecordedCounter& counter) {
    if (counter.values == counters::Values::Real) return OTF2_TYPE_DOUBLE;
    const bool isCount =
        counter.mode == counters::Mode::Accumulated && counter.values == counters::Values::Unsigned;
    return isCount ? OTF2_TYPE_UINT64 : OTF2_TYPE_INT64;
}

}  // namespace holos::archive
