// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/timeline/time_grid.h"
#include "analyzer/trace/definitions.h"

namespace holos::analyzer::timeline {

/// The place of a region for time outside of all regions.
inline constexpr std::uint32_t kOutside = 0xFFFFFFU;

struct RegionTime {
    std::uint32_t region = kOutside;
    Ticks time = 0;
};

/// How long one or several locations were in each region, bin by bin of one level.
class RegionTimes {
  public:
    RegionTimes() : starts_{0} {}

    std::size_t bins() const { return starts_.size() - 1; }
    /// By region, each once.
    std::span<const RegionTime> bin(std::size_t bin) const {
        return {times_.data() + starts_[bin], times_.data() + starts_[bin + 1]};
    }

    /// The next bin. Regions come in any order, each once.
    void append(std::vector<RegionTime>& bin);
    /// Of twice as wide bins.
    RegionTimes coarser() const;
    /// Of both together; they have the same bins.
    RegionTimes together(const RegionTimes& other) const;

  private:
    void appendSum(std::span<const RegionTime> a, std::span<const RegionTime> b);

    std::vector<std::size_t> starts_;  ///< by bin, and the end of the last one
    std::vector<RegionTime> times_;
};

/// Adds up the time of one location as it passes, and makes the finest level of it.
class RegionTimer {
  public:
    explicit RegionTimer(const TimeGrid& grid) : grid_(grid) {}

    /// From the last time on the location was in this region. Times outside of the run count for its ends,
    /// and time does not go back.
    void pass(std::uint32_t region, Ticks until);
    /// Nothing is known of the time until then.
    void skip(Ticks until);
    Ticks now() const { return now_; }
    RegionTimes finish();

  private:
    void endBin();

    const TimeGrid& grid_;
    Ticks now_ = 0;
    std::vector<RegionTime> inBin_;
    RegionTimes times_;
};

/// What the time at a location was spent for, as far as colours tell it apart. `Nothing`: outside of all
/// regions.
enum class Activity : std::uint8_t { Nothing, User, Mpi, OpenMp, OpenMpWaiting, Other };
inline constexpr std::size_t kActivities = 6;

Activity activityOf(const trace::Region& region);
/// By region.
std::vector<Activity> activitiesOf(const trace::Definitions& definitions);

/// Time in MPI and in synchronization of threads does not bring the program's work forward.
constexpr bool isLoss(Activity activity) {
    return activity == Activity::Mpi || activity == Activity::OpenMpWaiting;
}

/// Ticks by activity.
using ActivityTimes = std::array<trace::Ticks, kActivities>;

/// A region and its share of a bin, in 255ths, rounded up: 0 means that nothing is known, or nothing lost.
struct Dominant {
    std::uint32_t region = kOutside;
    std::uint8_t share = 0;
    friend bool operator==(const Dominant&, const Dominant&) = default;
};

/// What is kept of a bin of a row.
struct Summary {
    Dominant most;          ///< where most of the time was spent
    Dominant lost;          ///< of what is lost, where most of it was
    ActivityTimes times{};  ///< exact
};

/// Of a bin of so many ticks, for each of the row's locations. Of equals the first region counts. Of several
/// locations a region is shown rather than that others are outside of all.
Summary summarize(std::span<const RegionTime> bin, Ticks ticks, std::size_t locations,
                  const std::vector<Activity>& activities);

}  // namespace holos::analyzer::timeline
