// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/run/jobs.h"

#include <algorithm>
#include <map>

#include "base/text.h"

namespace holos::archive {

namespace {

/// Of each world the one that stands for all that it met.
class MetWorlds {
  public:
    explicit MetWorlds(const Meetings& meetings) {
        for (const auto& [one, other] : meetings) standsFor_[find(one)] = find(other);
    }
    std::uint64_t find(std::uint64_t world) const {
        for (auto at = standsFor_.find(world); at != standsFor_.end() && at->second != world;
             at = standsFor_.find(world))
            world = at->second;
        return world;
    }

  private:
    std::map<std::uint64_t, std::uint64_t> standsFor_;
};

}  // namespace

std::vector<std::vector<RecordedProcess>> byJob(std::vector<RecordedProcess> processes,
                                                const Meetings& meetings) {
    const MetWorlds met(meetings);
    std::vector<std::vector<RecordedProcess>> jobs(1);
    std::map<std::uint64_t, std::size_t> jobOf;  // of each world
    for (auto& one : processes) {
        const std::size_t job =
            isRank(one) ? jobOf.try_emplace(met.find(one.world->key()), jobOf.size()).first->second : 0;
        if (job == jobs.size()) jobs.emplace_back();
        jobs[job].push_back(std::move(one));
    }
    return jobs;
}

std::string describeJob(const std::vector<RecordedProcess>& processes) {
    const auto first = std::ranges::find_if(processes, isRank);
    if (first == processes.end()) return {};
    return first->executable + ", " +
           counted(static_cast<std::uint64_t>(std::ranges::count_if(processes, isRank)), "process");
}

}  // namespace holos::archive
