// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <bit>
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
/// `child` is the hot spot of the analysis: it finds nearly every node at the place in a table that its
/// parent, its region and where it is called say. Thread safety: safe to read.
class LocalTree {
  public:
    struct Node {
        Ticks exclusive = 0;
        std::uint64_t visits = 0;
        RegionId region;
        trace::SiteId site;  ///< where the parent calls it
        NodeId parent;
        trace::Special special = trace::Special::None;
        bool adopted = false;     ///< stands for another location's node (see `originOf`, `TaskPlaces`)
        std::uint32_t slice = 0;  ///< the last slice in which it was active (see `ProfileRecorder`)
    };

    /// A node that stands for another location's.
    struct Adopted {
        NodeId node;
        Origin origin;
    };

    LocalTree() : nodes_(2) {
        // No event has this region, so that nobody finds `kOutside`.
        nodes_[kOutside.index()].region = RegionId(~std::uint32_t{0});
    }

    std::size_t size() const { return nodes_.size(); }
    Node& operator[](NodeId id) { return nodes_[id.index()]; }
    const Node& operator[](NodeId id) const { return nodes_[id.index()]; }

    /// The child of `parent` for a call of `region` there, made when it is new.
    NodeId child(NodeId parent, RegionId region, const std::vector<trace::RegionClass>& classes,
                 trace::SiteId site = trace::kNoSite) {
        const NodeId known = find(parent, {region, site});
        return known != kOutside ? known : add(parent, {region, site}, classes);
    }

    /// The call path of a region below another one where it is known; else `kOutside`.
    NodeId known(NodeId parent, RegionId region) const { return find(parent, {region, trace::kNoSite}); }

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

    /// No call comes any more: frees what makes searching quick.
    void close() {
        table_ = {kOutside};
        mask_ = 0;
    }

    /// What is wanted of the tree after its replay, to another process, or from there (`Packer`,
    /// `Unpacker`).
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
    };

    NodeId append(NodeId parent, Callee callee) {
        const NodeId id(nodes_.size());
        Node node;
        node.region = callee.region;
        node.site = callee.site;
        node.parent = parent;
        nodes_.push_back(node);
        return id;
    }

    /// `kOutside` when there is none.
    NodeId find(NodeId parent, Callee callee) const {
        for (std::size_t place = placeOf(parent, callee);; ++place) {
            const NodeId known = table_[place & mask_];
            const Node& node = nodes_[known.index()];
            if (node.region == callee.region && node.parent == parent && node.site == callee.site) [[likely]]
                return known;
            if (known == kOutside) return kOutside;
        }
    }
    NodeId add(NodeId parent, Callee callee, const std::vector<trace::RegionClass>& classes) {
        if (table_.size() < kRoom * nodes_.size()) {
            fillTable();
            if (const NodeId known = find(parent, callee); known != kOutside) return known;
        }
        const NodeId id = append(parent, callee);
        trace::Special& special = nodes_[id.index()].special;
        special = classes[callee.region.index()].special;
        if (special == trace::Special::None && isWithinMpi(parent, classes))
            special = trace::Special::WithinMpi;
        enter(id);
        return id;
    }
    /// Whether it is a call of MPI, or a function that such a call was seen to have called.
    bool isWithinMpi(NodeId node, const std::vector<trace::RegionClass>& classes) const {
        while (node > kProgram && classes[nodes_[node.index()].region.index()].isSeen)
            node = nodes_[node.index()].parent;
        return node > kProgram && classes[nodes_[node.index()].region.index()].has(trace::TimeClass::Mpi);
    }
    void fillTable() {
        table_.assign(2 * kRoom * std::bit_ceil(nodes_.size()), kOutside);
        mask_ = table_.size() - 1;
        for (std::size_t i = kProgram.index() + 1; i < nodes_.size(); ++i)
            if (!nodes_[i].adopted) enter(NodeId(i));
    }
    void enter(NodeId id) {
        const Node& node = nodes_[id.index()];
        std::size_t place = placeOf(node.parent, {node.region, node.site});
        while (table_[place & mask_] != kOutside) ++place;
        table_[place & mask_] = id;
    }
    static std::size_t placeOf(NodeId parent, Callee callee) {
        const std::uint64_t called = std::uint64_t{parent.index()} << 32U | callee.region.index();
        return (called * 0x9E3779B97F4A7C15U + callee.site.index() * 0xC2B2AE3D27D4EB4FU) >> 32U;
    }

    static constexpr std::size_t kRoom = 2;  ///< places for each node, at least

    std::vector<Node> nodes_;
    std::vector<NodeId> table_{kOutside};  ///< by place: what is there, or at the next free one, or earlier
    std::size_t mask_ = 0;
    std::vector<Adopted> adopted_;  ///< ascending
    std::unordered_map<std::uint64_t, NodeId> adoptedAs_;
};

}  // namespace holos::analyzer::replay
