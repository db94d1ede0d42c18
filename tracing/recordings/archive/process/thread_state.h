// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

namespace holos::archive {

/// An explicit task: its team, its creator's number there, and which of that one's tasks it is, from 1 on.
/// With 0 it is the thread's own share of the team's work.
struct TaskNumber {
    std::uint32_t team = 0;
    std::uint32_t creator = 0;
    std::uint32_t generation = 0;
    friend auto operator<=>(const TaskNumber&, const TaskNumber&) = default;
};

/// What a thread has begun and not ended: regions, teams and explicit tasks. Whoever follows the records of a
/// thread has one of these, and so agrees with all others on where the thread is, whatever was recorded.
/// `Region`: what is kept of a region that is open.
///
/// The regions of each explicit task nest separately, and wait while the thread works on something else:
///
///     own share   barrier ┐                  ┌ barrier        `open`: the barrier, the task's, the barrier
///     task 7              └ task, critical ──┘
///
/// A team that begins within a task is part of it: the thread's own share of its work is what it does in that
/// task.
template <class Region>
class ThreadState {
  public:
    /// A team that the thread is in, or has forked and not joined.
    struct Team {
        bool isFork;           ///< and not joined yet
        std::uint32_t number;  ///< of the team; of a fork its paradigm
        TaskNumber task;       ///< that the thread worked on when it began,
        std::size_t depth;     ///< in so many regions of it
    };

    /// Regions of what the thread works on, the outermost first.
    const std::vector<Region>& open() const { return open_; }
    /// With those of the thread's own share around a task that it works on, and of all around that.
    std::vector<Region> all() const {
        std::vector<Region> result = open_;
        TaskNumber task = present_;
        // Each team is left once, at most: what was recorded may be no order.
        for (std::size_t i = 0; i <= teams_.size() && task != kOwnShare; ++i) {
            task = around(task);
            const auto regions = waiting_.find(task);
            if (regions != waiting_.end())
                result.insert(result.begin(), regions->second.begin(), regions->second.end());
        }
        return result;
    }
    /// The outermost first.
    const std::vector<Team>& teams() const { return teams_; }
    /// The innermost team that the thread is in; null outside of all.
    const Team* team() const {
        const auto found = innermostTeam(false);
        return found != teams_.rend() ? &*found : nullptr;
    }

    void enter(Region region) { open_.push_back(std::move(region)); }
    /// Ends the innermost region for which `isIt(region)` holds, and before it those within it, which were
    /// not left. `ended(region, isIt)` gets each of them, the innermost first. False, and nothing ends, where
    /// none is open: its enter was not recorded.
    template <class IsIt, class Ended>
    bool leave(IsIt isIt, Ended ended) {
        const auto found = std::find_if(open_.rbegin(), open_.rend(), isIt);
        if (found == open_.rend()) return false;
        const auto depth = static_cast<std::size_t>(open_.rend() - found);
        while (open_.size() >= depth) {
            const bool isLast = open_.size() == depth;
            ended(takeRegion(), isLast);
        }
        return true;
    }
    /// The regions of what the thread works on are known from elsewhere.
    void replace(std::vector<Region> open) { open_ = std::move(open); }

    void beginTeam(bool isFork, std::uint32_t number) {
        teams_.push_back({isFork, number, present_, open_.size()});
    }
    /// Of the innermost team, or fork. One whose begin was not recorded was not open.
    void endTeam(bool isFork) {
        const auto found = innermostTeam(isFork);
        if (found != teams_.rend()) teams_.erase(std::next(found).base());
    }

    /// The thread works on a task from now on, or on its own share of a team's work.
    void switchTo(const TaskNumber& task) { workOn(task.generation == 0 ? around(task) : task); }
    /// Regions that are open in the task end with it: `ended(region)` gets each, the innermost first. If the
    /// thread worked on it, it comes back to its own share of the team's work.
    template <class Ended>
    void complete(const TaskNumber& task, Ended ended) {
        if (task.generation == 0) return;
        if (task == present_) {
            while (!open_.empty()) ended(takeRegion());
            workOn(around(task));
        }
        waiting_.erase(task);
    }

    /// Everything that the thread is in ends, in the reverse order of its begin: `to.endRegion(region)`,
    /// `to.endTeam(team)` and `to.endTask(task)` are called. Tasks that wait may go on later.
    template <class Ends>
    void endAll(Ends& to) {
        while (!open_.empty() || !teams_.empty() || isInTask()) {
            const bool isTeam =
                !teams_.empty() && teams_.back().task == present_ && teams_.back().depth >= open_.size();
            if (isTeam) {
                to.endTeam(takeTeam());
            } else if (!open_.empty()) {
                to.endRegion(takeRegion());
            } else if (isInTask()) {
                const TaskNumber task = present_;
                workOn(around(task));
                waiting_.erase(task);
                to.endTask(task);
            } else {
                teams_.pop_back();  // of a task that completed within it
            }
        }
    }
    /// Nothing is known of what the thread is in.
    void forget() { *this = {}; }

  private:
    static constexpr TaskNumber kOwnShare{};

    bool isInTask() const { return present_ != kOwnShare; }
    /// What the thread does as its own share of the task's team: the task within which that began.
    TaskNumber around(const TaskNumber& task) const {
        const auto team = std::find_if(teams_.rbegin(), teams_.rend(), [&](const Team& one) {
            return !one.isFork && one.number == task.team;
        });
        return team != teams_.rend() && team->task != task ? team->task : kOwnShare;
    }
    void workOn(const TaskNumber& next) {
        if (next == present_) return;
        const TaskNumber before = std::exchange(present_, next);
        waiting_[before] = std::exchange(open_, std::move(waiting_[next]));
        waiting_.erase(next);
    }
    auto innermostTeam(bool isFork) const {
        return std::find_if(teams_.rbegin(), teams_.rend(),
                            [isFork](const Team& one) { return one.isFork == isFork; });
    }
    Region takeRegion() {
        Region last = std::move(open_.back());
        open_.pop_back();
        return last;
    }
    Team takeTeam() {
        const Team last = teams_.back();
        teams_.pop_back();
        return last;
    }

    std::vector<Region> open_;
    std::vector<Team> teams_;
    TaskNumber present_;
    std::map<TaskNumber, std::vector<Region>> waiting_;
};

}  // namespace holos::archive
