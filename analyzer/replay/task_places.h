// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "analyzer/replay/local_tree.h"

namespace holos::analyzer::replay {

/// Where explicit tasks are created: the function and line that do it, in a team that was forked there. Any
/// thread of the team may create them there, and any may run them.
struct TaskPlace {
    trace::FrameId creator;
    trace::SiteId site;
    Origin team;
    friend auto operator<=>(const TaskPlace&, const TaskPlace&) = default;
};

/// What one location knows of places where tasks are created. It runs tasks that others created before it is
/// known where these stand in the call tree; so what it runs stands below nodes that are replaced once all
/// locations have told where they created tasks.
///
///     creator    main / run / !$omp parallel / solve / !$omp create task      `solve` is the place's node
///     another    (place) / !$omp task / work
class TaskPlaces {
  public:
    /// A node that stands for a place.
    struct StandIn {
        TaskPlace place;
        NodeId node;
        NodeId region;  ///< the location's parallel region, where the place is within for certain
    };
    /// A place's node in a location that creates tasks there.
    struct Creation {
        TaskPlace place;
        NodeId node;
        friend auto operator<=>(const Creation&, const Creation&) = default;
    };

    /// What stands for the place above tasks that the location runs in that parallel region.
    NodeId above(const TaskPlace& place, NodeId region, LocalTree& tree) {
        const auto [known, isNew] = nodeAbove_.try_emplace(place);
        if (isNew) {
            known->second = tree.standIn();
            standIns_.push_back({place, known->second, region});
        }
        return known->second;
    }
    /// The location created a task there.
    void created(const TaskPlace& place, NodeId node) {
        const Creation found{place, node};
        const auto at = std::lower_bound(created_.begin(), created_.end(), found);
        if (at == created_.end() || *at != found) created_.insert(at, found);
    }

    /// Null where the node stands for no place.
    const StandIn* standIn(NodeId node) const {
        const auto at = std::lower_bound(standIns_.begin(), standIns_.end(), node,
                                         [](const StandIn& one, NodeId wanted) { return one.node < wanted; });
        return at != standIns_.end() && at->node == node ? &*at : nullptr;
    }
    const std::vector<Creation>& created() const { return created_; }

    /// What is wanted after the replay (see `LocalTree::pack`).
    template <class Packing>
    void pack(Packing& packing) {
        packing.list(standIns_);
        packing.list(created_);
    }

  private:
    std::vector<StandIn> standIns_;  ///< in ascending order of nodes
    std::vector<Creation> created_;  ///< ascending
    std::map<TaskPlace, NodeId> nodeAbove_;
};

}  // namespace holos::analyzer::replay
