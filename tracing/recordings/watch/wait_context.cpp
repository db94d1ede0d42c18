// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/watch/wait_context.h"

namespace holos::watch {

/// Of several processes of one rank, which ran one after the other, the last one that lives counts.
WaitContext::WaitContext(const FollowedRun& run) : run_(run) {
    for (std::size_t p = 0; p < picture().processes.size(); ++p) {
        const SeenProcess& process = seen(p);
        if (process.rank && process.life != Life::Ended) byRank_[*process.rank] = p;
        if (process.rank) byRank_.try_emplace(*process.rank, p);
        first_.push_back(threads_.size());
        for (std::size_t t = 0; t < process.threads.size(); ++t) {
            if (process.threads[t].hasEnded) continue;
            places_[{p, process.threads[t].location}] = threads_.size();
            threads_.push_back({p, t});
        }
    }
}

std::optional<std::size_t> WaitContext::placeOf(std::size_t process, std::uint32_t location) const {
    const auto found = places_.find({process, location});
    return found != places_.end() ? std::optional(found->second) : std::nullopt;
}

const archive::RecordedRegion* WaitContext::region(std::size_t process, std::uint32_t ref) const {
    const auto& regions = followed(process).definitions().regions;
    const auto found = regions.find(ref);
    return found != regions.end() ? &found->second : nullptr;
}

const archive::RecordedRegion* WaitContext::regionOf(std::size_t process, const SeenThread& thread) const {
    return thread.open.empty() || thread.left ? nullptr : region(process, thread.open.back().region);
}

void WaitContext::waitFor(Wait& wait, std::uint32_t worldRank, bool isSure) const {
    const auto process = byRank_.find(worldRank);
    const std::size_t first = process != byRank_.end() ? first_[process->second] : threads_.size();
    if (first < threads_.size() && threads_[first].process == process->second)
        (isSure ? wait.whom : wait.perhaps).push_back(first);
    else
        wait.isPartlyKnown = true;
}

}  // namespace holos::watch
