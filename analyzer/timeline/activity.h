// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

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

}  // namespace holos::analyzer::timeline
