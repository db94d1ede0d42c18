// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "analyzer/patterns/metric.h"
#include "analyzer/trace/classification.h"

namespace holos::analyzer::assemble {

using patterns::Metric;
using patterns::Needs;

/// What a call tree has of what metrics need.
/// Thread safety: safe to read.
class Present {
  public:
    /// By the classes of its regions.
    explicit Present(const std::vector<trace::RegionClass>& classes);
    /// It is there in another way.
    void add(Needs needs) { has_[static_cast<std::size_t>(needs)] = true; }
    bool has(Needs needs) const { return has_[static_cast<std::size_t>(needs)]; }

  private:
    std::array<bool, static_cast<std::size_t>(Needs::Count)> has_{};
};

/// Metrics, parents before their children.
using Catalog = std::vector<const Metric*>;

/// The whole tree of time and counts, with Scalasca's unique names and order.
const Catalog& metricCatalog();

}  // namespace holos::analyzer::assemble
