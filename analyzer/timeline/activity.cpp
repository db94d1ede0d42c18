// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/timeline/activity.h"

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

}  // namespace holos::analyzer::timeline
