// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/replay/replayed_trace.h"

namespace holos::analyzer::matching {

/// A call, by its position among those of its location.
struct CallRef {
    trace::LocationId location;
    std::uint32_t position = replay::kNone;

    bool isKnown() const { return position != replay::kNone; }
    const replay::Call& in(const replay::ReplayedTrace& trace) const {
        return trace[location].messages.calls[position];
    }
};

/// A record of one-sided communication, by its position among those of its location.
struct RmaRef {
    trace::LocationId location;
    std::uint32_t position = replay::kNone;

    const replay::RmaRecord& in(const replay::ReplayedTrace& trace) const {
        return trace[location].rma[position];
    }
    CallRef callIn(const replay::ReplayedTrace& trace) const { return {location, in(trace).call}; }
};

/// Operations of all threads of a process, in the order of time: a window is open to the process, so that one
/// thread may use and close what another one opened.
std::vector<RmaRef> oneSidedOf(const replay::ReplayedTrace& trace, const trace::Process& process);

}  // namespace holos::analyzer::matching
