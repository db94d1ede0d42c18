// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/timeline/region_times.h"
#include "analyzer/trace/definitions.h"

namespace holos::analyzer::timeline {

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
