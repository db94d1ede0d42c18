// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "analyzer/trace/definitions.h"

namespace holos::analyzer::clocks {

/// Of the controlled logical clock; times in seconds. The defaults are those of Scalasca.
struct ClockParameters {
    double control = 0.99999;  ///< which part of an interval remains of it while a clock falls back to its
                               ///< own time
    double step = 1e-9;        ///< least time between two events of a location
    double message = 1e-6;     ///< least time from a send to its receive
    double collective = 1e-6;  ///< least time from the start of a collective operation to an end after it
    double threads = 1e-8;     ///< the same among the threads of a team
    double slope = 0.01;       ///< how much faster than its own time a clock may run to come to a correction
};

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

/// What lies before every time, and can still be added to.
inline constexpr Ticks kNever = std::numeric_limits<Ticks>::min() / 2;

/// The recorded times of a location's events, and how far its controlled logical clock goes from one event to
/// the next when nothing forces it: all of the interval would keep a correction for ever, so that it goes a
/// little less, and never back.
class Steps {
  public:
    Steps(const FineTicks& fine, const ClockParameters& parameters)
        : fine_(fine),
          control_(parameters.control),
          least_(std::max<Ticks>(1, fine.ofSeconds(parameters.step))) {}

    /// Moves to the next event; an earlier time than the last event's counts as that. Returns the step.
    Ticks next(Ticks recorded) {
        const Ticks now = isFirst_ ? fine_.of(recorded) : std::max(fine_.of(recorded), now_);
        const Ticks step = isFirst_ ? 0 : stepTo(now);
        isFirst_ = false;
        now_ = now;
        return step;
    }
    /// The step to a later time.
    Ticks stepTo(Ticks fine) const {
        return std::max(least_,
                        static_cast<Ticks>(std::llround(control_ * static_cast<double>(fine - now_))));
    }
    /// The recorded time of the present event, in fine ticks.
    Ticks now() const { return now_; }
    bool started() const { return !isFirst_; }
    const FineTicks& fine() const { return fine_; }

  private:
    FineTicks fine_;
    double control_;
    Ticks least_;
    Ticks now_ = 0;
    bool isFirst_ = true;
};

}  // namespace holos::analyzer::clocks
