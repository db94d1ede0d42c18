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
    trace::SiteId site = trace::kNoSite;  ///< where that calls the parallel region
    friend auto operator<=>(const Origin&, const Origin&) = default;
};

/// The call tree of one location with its exclusive times and visits.
///
/// `child` is the hot spot of the analysis: it predicts that after a child comes the one that came after it
/// last time, and only searches when that is wrong.
/// Thread safety: safe to read.
class LocalTree {
  public:
    struct Node {
        Ticks exclusive = 0;
        std::uint64_t visits = 0;
        RegionId region;
        trace::SiteId site;  ///< where the parent calls it
        NodeId parent;
        NodeId latest{};    ///< the child that was entered last
        NodeId follower{};  ///< the sibling that was entered after this one last time
        trace::Special special = trace::Special::None;
        bool adopted = false;     ///< stands for another location's node (see `originOf`, `TaskPlaces`)
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

    /// The child of `parent` for a call of `region` there, made when it is new.
    NodeId child(NodeId parent, RegionId region, const std::vector<trace::RegionClass>& classes,
                 trace::SiteId site = trace::kNoSite) {
        const NodeId latest = nodes_[parent.index()].latest;
        const NodeId guess = nodes_[latest.index()].follower;
        if (nodes_[guess.index()].region == region && nodes_[guess.index()].site == site) [[likely]] {
            nodes_[parent.index()].latest = guess;
            return guess;
        }
        const NodeId found = search(parent, {region, site}, classes);
        if (latest != kOutside)
            nodes_[latest.index()].follower = found;
        else
            nodes_[found.index()].follower = found;
        nodes_[parent.index()].latest = found;
        return found;
    }

    /// The child for a function that was not entered, but seen there: what is predicted stays.
    NodeId seenChild(NodeId parent, RegionId region, const std::vector<trace::RegionClass>& classes,
                     trace::SiteId site = trace::kNoSite) {
        return search(parent, {region, site}, classes);
    }

    /// The deepest call path that both are, or are below.
    NodeId common(NodeId a, NodeId b) const {
        while (a != b)  // parents have smaller numbers
            if (a < b)
                b = nodes_[b.index()].parent;
            else
                a = nodes_[a.index()].parent;
        return a;
    }

    /// A new node that stands for one which is not known yet; its own time does not count.
    NodeId standIn() {
        const NodeId id = append(kOutside, {trace::kUndefinedRegion, trace::kNoSite});
        nodes_[id.index()].adopted = true;
        return id;
    }
    /// A node that stands for `origin`.
    NodeId adopt(Origin origin) {
        const std::uint64_t key = std::uint64_t{origin.location.index()} << 32 | origin.node.index();
        const auto found = adoptedAs_.find(key);
        if (found != adoptedAs_.end()) return found->second;
        const NodeId id = standIn();
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
    /// What tells children apart.
    struct Callee {
        RegionId region;
        trace::SiteId site;
        friend auto operator<=>(const Callee&, const Callee&) = default;
    };

    NodeId append(NodeId parent, Callee callee) {
        const NodeId id(nodes_.size());
        Node node;
        node.region = callee.region;
        node.site = callee.site;
        node.parent = parent;
        nodes_.push_back(node);
        children_.emplace_back();
        return id;
    }

    NodeId search(NodeId parent, Callee callee, const std::vector<trace::RegionClass>& classes) {
        auto& siblings = children_[parent.index()];
        const auto at =
            std::lower_bound(siblings.begin(), siblings.end(), callee,
                             [](const auto& entry, const Callee& wanted) { return entry.first < wanted; });
        if (at != siblings.end() && at->first == callee) return at->second;
        const auto position = at - siblings.begin();
        const NodeId id = append(parent, callee);
        nodes_[id.index()].special = classes[callee.region.index()].special;
        auto& grown = children_[parent.index()];  // `append` moved the lists
        grown.insert(grown.begin() + position, {callee, id});
        return id;
    }

    std::vector<Node> nodes_;
    std::vector<std::vector<std::pair<Callee, NodeId>>> children_;  ///< sorted by callee
    std::vector<Adopted> adopted_;                                  ///< ascending
    std::unordered_map<std::uint64_t, NodeId> adoptedAs_;
};

}  // namespace holos::analyzer::replay
