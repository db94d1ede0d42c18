// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <vector>

#include "analyzer/matching/collectives.h"
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

/// From MPI_Win_post to MPI_Win_wait.
struct Exposure {
    CallRef post;
    CallRef wait;  ///< not known when it ends with MPI_Win_test, or never
    std::vector<trace::ProcessId> origins;
};

/// From MPI_Win_start to MPI_Win_complete.
struct AccessEpoch {
    /// One process whose window may be accessed.
    struct Target {
        trace::ProcessId process;
        std::optional<std::size_t> exposure;  ///< its counterpart; nothing in incomplete traces
    };
    struct Access {
        trace::ProcessId target;
        CallRef call;
        bool brings = false;  ///< bytes of the target to the origin
    };
    trace::ProcessId origin;
    std::uint32_t window = replay::kNone;
    CallRef start;
    CallRef complete;  ///< not known where the trace ends before
    std::vector<Target> targets;
    std::vector<Access> accesses;

    /// Whether it got bytes of a target, so that it cannot have ended before that one gave access.
    bool brings(trace::ProcessId target) const {
        return std::any_of(accesses.begin(), accesses.end(),
                           [&](const Access& one) { return one.brings && one.target == target; });
    }
};

/// Epochs of one-sided communication with active targets, process by process in the order of their ends
/// (of exposures: their starts).
struct Epochs {
    std::vector<AccessEpoch> accesses;
    std::vector<Exposure> exposures;
};

/// Finds them, and which belong together: the n-th access epoch of an origin to a target with the n-th
/// exposure of the target to it.
Epochs matchEpochs(const replay::ReplayedTrace& trace);

/// The numbers of the fences that end an epoch in which somebody accessed the window. Only these are known to
/// bring all processes together (MPI 4.0, section 12.5.1).
std::unordered_set<std::uint32_t> fencesAfterAccess(const replay::ReplayedTrace& trace,
                                                    const CollectiveMatches& matches);

}  // namespace holos::analyzer::matching
