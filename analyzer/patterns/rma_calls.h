// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/matching/messages.h"
#include "analyzer/replay/records.h"

namespace holos::analyzer::patterns {

/// A call can only wait for what happens while it lasts.
inline bool isWithin(trace::Ticks time, const replay::Call& call) {
    return call.enter < time && time <= call.leave;
}

}  // namespace holos::analyzer::patterns
