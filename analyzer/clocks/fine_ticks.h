// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/trace/definitions.h"

namespace holos::analyzer::clocks {

using trace::Ticks;

/// Parts of a tick, of a picosecond or less where the run is not too long for that: corrected times lie
/// between the ticks of the clock.
/// Thread safety: safe to read.
class FineTicks {
  public:
    explicit FineTicks(const trace::Clock& clock);

    /// What lies out of reach becomes the farthest time.
    Ticks of(Ticks recorded) const;
    Ticks ofSeconds(double seconds) const;
    double seconds(Ticks fine) const { return static_cast<double>(fine) / perSecond_; }
    /// The clock that counts them.
    trace::Clock clock() const;

  private:
    trace::Clock coarse_;
    unsigned shift_ = 0;
    double perSecond_;
};

}  // namespace holos::analyzer::clocks
