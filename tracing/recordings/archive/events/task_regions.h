// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <cstdint>
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

/// The regions that a thread has begun and not ended, by what it works on: those of each explicit task nest
/// for themselves, and wait while the thread works on something else. For whoever follows a thread's records.
///
///     own share   barrier ┐                  ┌ barrier        `open`: the barrier, the task's, the barrier
///     task 7              └ task, critical ──┘
template <class Region>
class TaskRegions {
  public:
    /// Of what the thread works on, the outermost first.
    std::vector<Region>& open() { return open_; }
    const std::vector<Region>& open() const { return open_; }
    const TaskNumber& present() const { return present_; }
    bool isInTask() const { return present_ != kOwnShare; }

    void workOn(const TaskNumber& task) {
        if (task == present_) return;
        waiting_[present_] = std::move(open_);
        open_ = std::move(waiting_[task]);
        waiting_.erase(task);
        present_ = task;
    }
    /// From a task that it worked on the thread comes back to its own share.
    void complete(const TaskNumber& task) {
        if (task == present_) {
            open_.clear();
            workOn(kOwnShare);
        }
        if (task != kOwnShare) waiting_.erase(task);
    }
    /// Nothing is known of what the thread is in.
    void forget() { *this = {}; }

    /// The regions of the thread's own share around those of a task that it works on.
    std::vector<Region> all() const {
        std::vector<Region> result;
        const auto around = waiting_.find(kOwnShare);
        if (isInTask() && around != waiting_.end()) result = around->second;
        result.insert(result.end(), open_.begin(), open_.end());
        return result;
    }

  private:
    static constexpr TaskNumber kOwnShare{};

    std::vector<Region> open_;
    TaskNumber present_;
    std::map<TaskNumber, std::vector<Region>> waiting_;
};

}  // namespace holos::archive
