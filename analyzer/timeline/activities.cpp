// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/timeline/activities.h"

namespace holos::analyzer::timeline {

Activity activityOf(const trace::Region& region) {
    using trace::Paradigm;
    using trace::Role;
    switch (region.paradigm) {
        case Paradigm::Mpi:
            return Activity::Mpi;
        case Paradigm::OpenMp: {
            const bool waits = region.role == Role::Barrier || region.role == Role::ImplicitBarrier ||
                               region.role == Role::TaskWait || region.role == Role::Critical ||
                               region.role == Role::Ordered;
            return waits ? Activity::OpenMpWaiting : Activity::OpenMp;
        }
        case Paradigm::User:
        case Paradigm::Compiler:
        case Paradigm::Unknown:
            return Activity::User;
        default:
            return Activity::Other;
    }
}

std::vector<Activity> activitiesOf(const trace::Definitions& definitions) {
    std::vector<Activity> activities;
    activities.reserve(definitions.regions.size());
    for (const trace::Region& region : definitions.regions) activities.push_back(activityOf(region));
    return activities;
}

namespace {

std::uint8_t shareOf(Ticks part, Ticks whole) {
    const auto share = (static_cast<__int128>(part) * 255 + whole - 1) / whole;
    return static_cast<std::uint8_t>(std::min<__int128>(share, 255));
}

}  // namespace

Summary summarize(std::span<const RegionTime> bin, Ticks ticks, std::size_t locations,
                  const std::vector<Activity>& activities) {
    Summary summary;
    RegionTime most, lost;
    for (const RegionTime& time : bin) {
        const Activity activity =
            time.region < activities.size() ? activities[time.region] : Activity::Nothing;
        summary.times[static_cast<std::size_t>(activity)] += time.time;
        const bool isBeside = locations > 1 && time.region == kOutside && most.time > 0;
        if (time.time > most.time && !isBeside) most = time;
        if (isLoss(activity) && time.time > lost.time) lost = time;
    }
    ticks = std::max<Ticks>(ticks * static_cast<Ticks>(locations), 1);
    if (most.time > 0) summary.most = {most.region, shareOf(most.time, ticks)};
    if (lost.time > 0) summary.lost = {lost.region, shareOf(lost.time, ticks)};
    return summary;
}

}  // namespace holos::analyzer::timeline
