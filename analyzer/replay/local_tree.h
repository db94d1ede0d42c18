// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/trace/classification.h"

namespace holos::analyzer::replay {

using trace::RegionId;
using trace::Ticks;

/// A call path as one location met it.
using NodeId = algebra::Id<struct LocalNodeTag>;

/// Time that belongs to no call path: before the program begins, or on a worker between two teams.
inline constexpr NodeId kOutside{0};
/// The program itself. What is entered from outside stands below it, too.
inline constexpr NodeId kProgram{1};

/// Where a worker's team was forked: a call path of another location.
struct Origin {
    trace::LocationId location;
    NodeId node;
};

/// The call tree of one location with its exclusive times and visits.
///
/// `child` is the hot spot of the analysis: it predicts that after a child comes the one that came after it
/// last time, and only searches when that is wrong.
class LocalTree {
  public:
    struct Node {
        Ticks exclusive = 0;
        std::uint64_t visits = 0;
        RegionId region;
        NodeId parent;
        NodeId latest{};    ///< the child that was entered last
        NodeId follower{};  ///< the sibling that was entered after this one last time
        trace::Special special = trace::Special::None;
        bool adopted = false;     ///< stands for another location's node (see `origin`)
        std::uint32_t slice = 0;  ///< the last slice in which it was active (see `ProfileRecorder`)
    };

    /// A node that stands for another location's.
    struct Adopted {
        NodeId node;
        Origin origin;
    };

    LocalTree() : nodes_(2), children_(2) {
        // No event has this region, so that a prediction of `kOutside` always fails.
        nodes_[kOutside.index()].region = RegionId(~std::uint32_t{0});
    }

    std::size_t size() const { return nodes_.size(); }
    Node& operator[](NodeId id) { return nodes_[id.index()]; }
    const Node& operator[](NodeId id) const { return nodes_[id.index()]; }

    /// The child of `parent` for `region`, made when it is new.
    NodeId child(NodeId parent, RegionId region, const std::vector<trace::RegionClass>& classes) {
        const NodeId latest = nodes_[parent.index()].latest;
        const NodeId guess = nodes_[latest.index()].follower;
        if (nodes_[guess.index()].region == region) [[likely]] {
            nodes_[parent.index()].latest = guess;
            return guess;
        }
        const NodeId found = search(parent, region, classes);
        if (latest != kOutside)
            nodes_[latest.index()].follower = found;
        else
            nodes_[found.index()].follower = found;
        nodes_[parent.index()].latest = found;
        return found;
    }

    /// The same for a function that was not entered, but seen there: what is predicted stays.
    NodeId sampledChild(NodeId parent, RegionId region, const std::vector<trace::RegionClass>& classes) {
        return search(parent, region, classes);
    }

    /// A node that stands for `origin`; its own time does not count.
    NodeId adopt(Origin origin) {
        const std::uint64_t key = std::uint64_t{origin.location.index()} << 32 | origin.node.index();
        const auto found = adoptedAs_.find(key);
        if (found != adoptedAs_.end()) return found->second;
        const NodeId id = append(kOutside, trace::kUndefinedRegion);
        nodes_[id.index()].adopted = true;
        adopted_.push_back({id, origin});
        adoptedAs_[key] = id;
        return id;
    }
    /// In ascending order of nodes.
    const std::vector<Adopted>& adopted() const { return adopted_; }
    /// Of an adopted node.
    Origin originOf(NodeId node) const {
        const auto found =
            std::lower_bound(adopted_.begin(), adopted_.end(), node,
                             [](const Adopted& adopted, NodeId wanted) { return adopted.node < wanted; });
        return found->origin;
    }

    /// What is wanted of the tree after its replay, to another process, or from there (`workers::Packer`,
    /// `workers::Unpacker`).
    template <class Packing>
    void pack(Packing& packing) {
        packing.list(nodes_);
        packing.list(adopted_);
    }

  private:
    NodeId append(NodeId parent, RegionId region) {
        const NodeId id(nodes_.size());
        Node node;
        node.region = region;
        node.parent = parent;
        nodes_.push_back(node);
        children_.emplace_back();
        return id;
    }

    NodeId search(NodeId parent, RegionId region, const std::vector<trace::RegionClass>& classes) {
        auto& siblings = children_[parent.index()];
        const auto at =
            std::lower_bound(siblings.begin(), siblings.end(), region,
                             [](const auto& entry, RegionId wanted) { return entry.first < wanted; });
        if (at != siblings.end() && at->first == region) return at->second;
        const auto position = at - siblings.begin();
        const NodeId id = append(parent, region);
        nodes_[id.index()].special = classes[region.index()].special;
        auto& grown = children_[parent.index()];  // `append` moved the lists
        grown.insert(grown.begin() + position, {region, id});
        return id;
    }

    std::vector<Node> nodes_;
    std::vector<std::vector<std::pair<RegionId, NodeId>>> children_;  ///< sorted by region
    std::vector<Adopted> adopted_;                                    ///< ascending
    std::unordered_map<std::uint64_t, NodeId> adoptedAs_;
};

}  // namespace holos::analyzer::replay
