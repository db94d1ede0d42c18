// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analyzer/memory/by_location.h"
#include "analyzer/patterns/metric.h"
#include "analyzer/replay/local_tree.h"

namespace holos::analyzer::patterns {

/// A sum that does not leave the language's rules when a damaged trace has absurd numbers.
inline std::int64_t wrappingSum(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

/// A sum of bytes, which count up beyond the largest signed number: no more than fits.
inline std::int64_t sumOfBytes(std::int64_t a, std::int64_t b) {
    const auto first = static_cast<std::uint64_t>(a);
    const std::uint64_t sum = first + static_cast<std::uint64_t>(b);
    return static_cast<std::int64_t>(sum < first ? ~std::uint64_t{0} : sum);
}

/// Whole numbers by call path of one location; those of bytes are unsigned. Sums do not depend on the order
/// of addition.
class NodeSums {
  public:
    void add(replay::NodeId node, std::int64_t value) {
        if (value == 0) return;
        std::int64_t& sum = at(node);
        sum = wrappingSum(sum, value);
    }
    void addBytes(replay::NodeId node, std::uint64_t bytes) {
        if (bytes == 0) return;
        std::int64_t& sum = at(node);
        sum = sumOfBytes(sum, static_cast<std::int64_t>(bytes));
    }
    /// By node; shorter than the tree where the rest is zero.
    const std::vector<std::int64_t>& byNode() const { return sums_; }

  private:
    std::int64_t& at(replay::NodeId node) {
        if (sums_.size() <= node.index()) sums_.resize(node.index() + 1, 0);
        return sums_[node.index()];
    }

    std::vector<std::int64_t> sums_;
};

/// What patterns measure in one location. Times are in ticks.
/// Thread safety: one thread for each location.
class LocalSeverities {
  public:
    void add(const Metric& metric, replay::NodeId node, std::int64_t value) {
        if (value != 0) sums_[&metric].add(node, value);
    }
    void addBytes(const Metric& metric, replay::NodeId node, std::uint64_t bytes) {
        if (bytes != 0) sums_[&metric].addBytes(node, bytes);
    }
    void add(Nonblocking kind, replay::NodeId node, std::int64_t value) {
        nonblocking_[static_cast<std::size_t>(kind)].add(node, value);
    }
    /// Time that counts for another call path than the one in which it was recorded.
    void move(replay::NodeId to, std::int64_t ticks) { moved_.add(to, ticks); }
    /// To add very many values; stays valid.
    NodeSums& of(const Metric& metric) { return sums_[&metric]; }

    /// By descriptor, in no order.
    const std::unordered_map<const Metric*, NodeSums>& all() const { return sums_; }
    const NodeSums& of(Nonblocking kind) const { return nonblocking_[static_cast<std::size_t>(kind)]; }
    const NodeSums& moved() const { return moved_; }

  private:
    std::unordered_map<const Metric*, NodeSums> sums_;
    std::array<NodeSums, kNonblockingKinds> nonblocking_;
    NodeSums moved_;
};

/// Of a trace.
using Severities = ByLocation<LocalSeverities>;

}  // namespace holos::analyzer::patterns
