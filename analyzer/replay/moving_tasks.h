// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "analyzer/replay/local_tree.h"

namespace holos::analyzer::replay {

/// Tasks of runtime systems such as HPX, as APEX records them: regions with the role of a task, whose enter
/// and leave have the task's number. A task may be suspended, which has no event, and go on and end on
/// another worker:
///
///     worker 1   ├enter a (7)   ├enter b (8)            ├enter a (9)
///     worker 2                     leave a (7)┤   leave b (8)┤
///
/// The enter of a task ends the time of the one before in this worker, and is no call from there. Of a
/// task that ends elsewhere it is not known when it was suspended; its time lasts until the worker's next
/// task. Thread safety: one thread for each location.
class MovingTasks {
  public:
    struct Task {
        std::uint64_t number;
        NodeId node;
        std::size_t depth;  ///< of the call stack below its region
    };

    const std::optional<Task>& running() const { return running_; }
    /// Another one begins, or there is none any more: it may go on later.
    void park() {
        constexpr std::size_t kMost = 100'000;  // those that end elsewhere stay here for good
        if (parked_.size() >= kMost) parked_.clear();
        if (running_) parked_[running_->number] = running_->node;
        running_.reset();
    }
    void begin(const Task& task) { running_ = task; }
    void end() { running_.reset(); }
    /// The call path of one that was suspended here, and ends; nothing for one that began elsewhere.
    std::optional<NodeId> endParked(std::uint64_t number) {
        const auto found = parked_.find(number);
        if (found == parked_.end()) return std::nullopt;
        const NodeId node = found->second;
        parked_.erase(found);
        return node;
    }

  private:
    std::optional<Task> running_;
    std::unordered_map<std::uint64_t, NodeId> parked_;  ///< by number
};

}  // namespace holos::analyzer::replay
