// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cassert>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace holos::algebra {

/// Nodes with parents, in a dense table. A parent always stands before its children, so that
/// a loop over ascending ids visits parents first and a loop over descending ids children first.
template <class Node, class NodeId>
class Forest {
  public:
    /// Appends a node below `parent`, or as a root. The parent must exist already.
    NodeId add(Node node, std::optional<NodeId> parent = std::nullopt) {
        assert(!parent || parent->index() < nodes_.size());
        const NodeId id(nodes_.size());
        nodes_.push_back(std::move(node));
        parents_.push_back(parent);
        children_.emplace_back();
        (parent ? children_[parent->index()] : roots_).push_back(id);
        return id;
    }

    std::size_t size() const { return nodes_.size(); }
    bool empty() const { return nodes_.empty(); }
    bool contains(NodeId id) const { return id.index() < nodes_.size(); }

    const Node& operator[](NodeId id) const { return nodes_[id.index()]; }
    Node& operator[](NodeId id) { return nodes_[id.index()]; }

    std::optional<NodeId> parent(NodeId id) const { return parents_[id.index()]; }
    /// In the order in which they were added.
    const std::vector<NodeId>& children(NodeId id) const { return children_[id.index()]; }
    const std::vector<NodeId>& roots() const { return roots_; }

    /// 0 for a root.
    std::size_t depth(NodeId id) const {
        std::size_t depth = 0;
        for (auto up = parent(id); up; up = parent(*up)) ++depth;
        return depth;
    }

    /// True for the ancestor itself, too.
    bool isWithin(NodeId id, NodeId ancestor) const {
        std::optional<NodeId> up = id;
        while (up && *up != ancestor) up = parent(*up);
        return up.has_value();
    }

    /// The node and everything below it, depth first, parents before children.
    std::vector<NodeId> subtree(NodeId id) const {
        std::vector<NodeId> found;
        std::vector<NodeId> open{id};
        while (!open.empty()) {
            const NodeId next = open.back();
            open.pop_back();
            found.push_back(next);
            const auto& below = children(next);
            open.insert(open.end(), below.rbegin(), below.rend());
        }
        return found;
    }

    /// Calls `enter` for the node and everything below it, depth first, and `leave` for each when all below
    /// it is done.
    template <class Enter, class Leave>
    void walk(NodeId root, Enter enter, Leave leave) const {
        std::vector<NodeId> path;
        for (const NodeId node : subtree(root)) {
            for (; !path.empty() && parent(node) != path.back(); path.pop_back()) leave(path.back());
            enter(node);
            path.push_back(node);
        }
        for (; !path.empty(); path.pop_back()) leave(path.back());
    }

    /// All ids in ascending order: `for (MetricId id : forest.ids())`.
    class Ids {
      public:
        class Iterator {
          public:
            using iterator_category = std::forward_iterator_tag;
            using value_type = NodeId;
            using difference_type = std::ptrdiff_t;
            using pointer = const NodeId*;
            using reference = NodeId;
            Iterator() = default;
            explicit Iterator(std::size_t at) : at_(at) {}
            NodeId operator*() const { return NodeId(at_); }
            Iterator& operator++() { return ++at_, *this; }
            Iterator operator++(int) { return Iterator(at_++); }
            friend bool operator==(Iterator, Iterator) = default;

          private:
            std::size_t at_ = 0;
        };
        explicit Ids(std::size_t count) : count_(count) {}
        Iterator begin() const { return Iterator(0); }
        Iterator end() const { return Iterator(count_); }

      private:
        std::size_t count_;
    };
    Ids ids() const { return Ids(nodes_.size()); }

  private:
    std::vector<Node> nodes_;
    std::vector<std::optional<NodeId>> parents_;
    std::vector<std::vector<NodeId>> children_;
    std::vector<NodeId> roots_;
};

}  // namespace holos::algebra
