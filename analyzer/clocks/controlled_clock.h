// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "analyzer/replay/clock.h"
#include "analyzer/trace/definitions.h"

namespace holos::analyzer::clocks {

using trace::Ticks;

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

/// An event with a part in the logical order, and what the clock does from the point before to this one: with
/// the time c there it comes to max(c + rise, floor) here, however many events lie between.
struct ClockPoint {
    std::uint64_t event = 0;  ///< number in the location
    Ticks recorded = 0;
    Ticks rise = 0;
    Ticks floor = kNever;
    replay::ClockEvent part;
};

/// What the correction has to know of a location. Times are in fine ticks.
struct ClockPoints {
    Ticks begin = 0;  ///< of its first event
    std::vector<ClockPoint> list;
};

/// Takes the recorded times as they are and notes the points.
class ClockSurvey final : public replay::Clock {
  public:
    ClockSurvey(const FineTicks& fine, const ClockParameters& parameters) : steps_(fine, parameters) {}

    Ticks at(std::uint64_t event, Ticks recorded, replay::NodeId) override {
        event_ = event;
        const bool isFirst = !steps_.started();
        const Ticks step = steps_.next(recorded);
        if (isFirst) points_.begin = steps_.now();
        rise_ += step;
        floor_ = std::max(floor_ + step, steps_.now());
        return recorded;
    }
    Ticks later(Ticks recorded) const override { return recorded; }
    void note(const replay::ClockEvent& event) override;

    ClockPoints take() { return std::move(points_); }

  private:
    /// A start learns its record from its end.
    void close(std::vector<std::size_t>& open, std::uint32_t record);

    Steps steps_;
    std::uint64_t event_ = 0;
    Ticks rise_ = 0;
    Ticks floor_ = kNever;
    ClockPoints points_;
    std::vector<std::size_t> openCollectives_;
    std::vector<std::size_t> openBarriers_;
    std::vector<std::size_t> openEpochCalls_;
};

}  // namespace holos::analyzer::clocks
