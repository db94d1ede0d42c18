// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "gui/models/timeline/timeline_picture.h"
#include "gui/models/timeline/times_in_part.h"

namespace holos::gui {

/// What the names of counters begin with where those of metrics stand.
inline constexpr const char* kCounterPrefix = "counter:";

/// The counter or sensor that such a name means.
std::optional<trace::MemberId> counterNamed(const trace::Definitions& definitions, const std::string& metric);

/// `/s` of what is counted, `°C`.
QString unitOfCounter(const trace::MetricMember& member);

/// A counter or sensor of all locations over the whole run, as fine as a picture needs it: what accumulates
/// by its growth per second, states by their values. Read once from the events.
class TimelineCounter {
  public:
    /// `part`: of these times alone, unless null. Null when `stopped` became true. Locations whose files are
    /// damaged have what could be read.
    static std::shared_ptr<const TimelineCounter> read(const std::filesystem::path& anchor,
                                                       const trace::Definitions& definitions,
                                                       trace::MemberId member, const TimesInPartPtr& part,
                                                       const std::atomic<bool>& stopped);

    bool isOf(trace::MemberId member, const TimesInPartPtr& part) const {
        return member == member_ && part == part_;
    }
    /// Of one location in one part of the run.
    double largest() const { return largest_; }
    /// The mean of a line's locations as a part of the largest value, by pixel of the window; −1: nothing is
    /// known.
    std::vector<float> sharesOf(const TimelineLine& line, const trace::Window& window) const;

  private:
    TimelineCounter() = default;

    trace::MemberId member_;
    TimesInPartPtr part_;
    analyzer::timeline::TimeGrid grid_;
    std::vector<std::vector<float>> means_;  ///< by location and bin; NaN: nothing is known
    double largest_ = 0;
};

}  // namespace holos::gui
