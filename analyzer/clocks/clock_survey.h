// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/clocks/controlled_clock.h"
#include "analyzer/replay/clock.h"

namespace holos::analyzer::clocks {

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
