// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "algebra/model/experiment.h"
#include "analyzer/causes/cause_values.h"
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

/// Adds a metric, without values, below its parent. Nothing where there is not what the metric needs, or its
/// parent is not there.
template <class From>
std::optional<algebra::MetricId> addMetric(algebra::Experiment& experiment, const Present& present,
                                           const patterns::MetricOf<From>& described) {
    std::optional<algebra::MetricId> parent;
    if (described.parent != nullptr) parent = experiment.findMetric(described.parent);
    if (!present.has(described.needs) || (described.parent != nullptr && !parent)) return {};
    algebra::Metric metric;
    metric.uniqueName = described.uniqueName;
    metric.displayName = described.displayName;
    metric.unit = parent ? experiment.metrics[*parent].unit : described.unit;
    metric.description = described.description;
    metric.valueType = metric.unit == "sec"     ? algebra::ValueType::Double
                       : metric.unit == "bytes" ? algebra::ValueType::UInt64
                                                : algebra::ValueType::Int64;
    return experiment.metrics.add(std::move(metric), parent);
}

/// A list of metrics in which parents stand before their children.
template <class Metric>
class CatalogBuilder {
  public:
    /// At the end.
    void append(const Metric& metric) { all_.push_back(&metric); }

    /// As the last child of its parent, or before the sibling that it names.
    void insert(const Metric& metric) {
        const auto place = std::ranges::find_if(
            all_, [&](const Metric* other) { return nameOf(metric.before) == other->uniqueName; });
        all_.insert(place != all_.end() ? place : endBelow(nameOf(metric.parent)), &metric);
    }

    std::vector<const Metric*> take() { return std::move(all_); }

  private:
    static std::string_view nameOf(const char* name) { return name == nullptr ? "" : name; }

    /// Behind a metric and all below it.
    auto endBelow(std::string_view name) {
        const auto parent =
            std::ranges::find_if(all_, [&](const Metric* other) { return name == other->uniqueName; });
        assert(parent != all_.end());
        std::vector<std::string_view> names{name};
        return std::find_if(std::next(parent), all_.end(), [&](const Metric* other) {
            if (std::ranges::find(names, nameOf(other->parent)) == names.end()) return true;
            names.push_back(other->uniqueName);
            return false;
        });
    }

    std::vector<const Metric*> all_;
};

/// Where the values of a cause's metric come from, beside those of `patterns/metric.h`.
struct FromCause {
    causes::Cause cause;
};
struct FromDifference {  ///< one metric, or several together, without another, all by unique name
    const char* whole;
    const char* part;
    std::array<const char*, 3> alsoWhole = {};  ///< null: none
};
struct FromPathImbalance {};  ///< what the critical path takes beyond the average location

using CauseSource = std::variant<FromCause, FromDifference, patterns::FromChildren, FromPathImbalance>;

/// Of the metric tree of causes. What a difference needs stands before the difference.
using CauseEntry = patterns::MetricOf<CauseSource>;

using CauseCatalog = std::vector<const CauseEntry*>;

/// The whole tree, with Scalasca's unique names and order.
const CauseCatalog& causeCatalog();

}  // namespace holos::analyzer::assemble
