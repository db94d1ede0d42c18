// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include "tracing/counters/source.h"

namespace holos::archive {

/// How the values of a counter are written: what grows is never negative, a state such as a temperature may
/// be.
inline OTF2_Type typeOf(counters::Mode mode) {
    return mode == counters::Mode::Accumulated ? OTF2_TYPE_UINT64 : OTF2_TYPE_INT64;
}

}  // namespace holos::archive
