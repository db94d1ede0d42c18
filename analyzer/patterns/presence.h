// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/matching/epochs.h"

namespace holos::analyzer::patterns {

/// When a process is in MPI, as far as its calls left records.
class Presence {
  public:
    struct Stay {
        trace::Ticks enter;
        trace::Ticks leave;  ///< the latest of all up to here
        matching::CallRef call;
    };
    /// A time outside of MPI, and the stay that ended it.
    struct Return {
        trace::Ticks left;
        const Stay* back;
    };
    Presence(const replay::ReplayedTrace& trace, trace::ProcessId process);

    /// The next time that it enters MPI; null when it is there already, or never comes.
    const Stay* nextStay(trace::Ticks time) const;
    /// The returns that end between two times, the last ones first, up to so many that no more matter. What
    /// lies before the first time is not counted as outside.
    std::vector<Return> returnsWithin(trace::Ticks from, trace::Ticks to) const;

  private:
    std::vector<Stay> stays_;
};

}  // namespace holos::analyzer::patterns
