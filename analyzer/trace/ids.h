// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "algebra/model/ids.h"

namespace holos::analyzer::trace {

/// Positions in the tables of `Definitions`. OTF2's own references may be sparse and are mapped when events
/// arrive.
using StringId = algebra::Id<struct TraceStringTag>;
using RegionId = algebra::Id<struct TraceRegionTag>;
using LocationId = algebra::Id<struct TraceLocationTag>;
using ProcessId = algebra::Id<struct TraceProcessTag>;
using SystemNodeId = algebra::Id<struct TraceSystemNodeTag>;
using GroupId = algebra::Id<struct TraceGroupTag>;
using CommId = algebra::Id<struct TraceCommTag>;
using MemberId = algebra::Id<struct TraceMetricMemberTag>;
using ContextId = algebra::Id<struct TraceContextTag>;
using SiteId = algebra::Id<struct TraceCallSiteTag>;
using FrameId = algebra::Id<struct TraceFrameTag>;
using MetricClassId = algebra::Id<struct TraceMetricClassTag>;

/// Event times are ticks since the trace's start, signed, because a damaged trace has times before its start.
using Ticks = std::int64_t;

/// From OTF2's references to positions. References that are dense, as most writers make them, take one load.
template <class Target>
class References {
  public:
    void add(std::uint64_t reference, Target target) {
        if (reference < kDenseLimit) {
            if (dense_.size() <= reference) dense_.resize(reference + 1, kNone);
            dense_[reference] = static_cast<std::uint32_t>(target.index());
        } else {
            sparse_[reference] = target;
        }
    }

    std::optional<Target> find(std::uint64_t reference) const {
        if (reference < dense_.size()) {
            const std::uint32_t index = dense_[reference];
            if (index != kNone) return Target(index);
            return std::nullopt;
        }
        const auto found = sparse_.find(reference);
        if (found == sparse_.end()) return std::nullopt;
        return found->second;
    }

    /// As `find`, with a default; for the hot path.
    Target findOr(std::uint64_t reference, Target otherwise) const {
        if (reference < dense_.size() && dense_[reference] != kNone) return Target(dense_[reference]);
        return find(reference).value_or(otherwise);
    }

  private:
    static constexpr std::uint64_t kDenseLimit = std::uint64_t{1} << 20;
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    std::vector<std::uint32_t> dense_;
    std::unordered_map<std::uint64_t, Target> sparse_;
};

}  // namespace holos::analyzer::trace
