// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <string>

#include "base/error.h"
#include "tracing/recordings/archive/process/recorded_process.h"
#include "tracing/recordings/format/vocabulary.h"

namespace holos::archive {

/// Throws `Error` that says what could not be written and why.
inline void check(OTF2_ErrorCode code, const char* what) {
    if (code != OTF2_SUCCESS)
        throw Error(std::string("cannot write ") + what +
                    " of the trace: " + OTF2_Error_GetDescription(code));
}

/// The recorder's words in OTF2's.
OTF2_Paradigm otf2Paradigm(tracing::Paradigm);
OTF2_RegionRole otf2Role(tracing::Role);
OTF2_RmaAtomicType otf2Atomic(tracing::RmaAtomic type);
OTF2_CollectiveOp otf2Operation(tracing::Collective);

/// How the values of a counter are written: what grows is never negative, a state such as a temperature may
/// be.
inline OTF2_Type typeOf(const RecordedCounter& counter) {
    if (counter.values == counters::Values::Real) return OTF2_TYPE_DOUBLE;
    const bool isCount =
        counter.mode == counters::Mode::Accumulated && counter.values == counters::Values::Unsigned;
    return isCount ? OTF2_TYPE_UINT64 : OTF2_TYPE_INT64;
}

}  // namespace holos::archive
