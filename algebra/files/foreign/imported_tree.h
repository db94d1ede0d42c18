// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// An experiment that grows as a file is read: metrics, calls and threads appear when they are first named.
class ImportedTree {
  public:
    MetricId metric(const std::string& name, const std::string& unit);
    /// A call of a region from a call path, or a root.
    CallPathId call(std::optional<CallPathId> caller, const std::string& region, const std::string& module);
    /// The thread of a process; `process` and `thread` are numbers in the file, such as those of the system.
    LocationId thread(std::int64_t process, const std::string& processName, std::int64_t thread,
                      const std::string& name);

    void add(MetricId metric, CallPathId path, LocationId location, double value);

    /// All that was added. Afterwards the tree is empty.
    Experiment take(const std::string& source);

  private:
    struct Cell {
        CallPathId path;
        LocationId location;
        double value;
    };
    struct CellKey {
        std::size_t path, location;
        friend bool operator==(const CellKey&, const CellKey&) = default;
    };
    struct CellHash {
        std::size_t operator()(const CellKey& key) const {
            return key.path * 0x9E3779B97F4A7C15ULL + key.location;
        }
    };

    SystemNodeId machine();

    Experiment experiment_;
    std::map<std::string, MetricId> metrics_;
    std::map<std::pair<std::string, std::string>, RegionId> regions_;
    std::map<std::pair<std::size_t, std::size_t>, CallPathId> calls_;  ///< by caller + 1 and region
    std::map<std::int64_t, ProcessId> processes_;
    std::map<std::pair<std::int64_t, std::int64_t>, LocationId> threads_;
    std::vector<std::unordered_map<CellKey, double, CellHash>> values_;  ///< by metric
};

/// Values of one thread that files have with those of what is below, in a tree of places that is finer than
/// the call tree: statements and loops belong to the call path of their function.
class InclusiveValues {
  public:
    /// What values were rounded by, as a part of them: what is left of a call path and less than that, is
    /// nothing.
    explicit InclusiveValues(double rounding) : rounding_(rounding) {}

    /// A place's value, which is part of that of the place above it.
    void add(MetricId metric, CallPathId path, std::optional<CallPathId> above, double value) {
        Sum& sum = sums_[metric][path.index()];
        sum.own += value;
        sum.largest = std::max(sum.largest, std::abs(value));
        if (above) sums_[metric][above->index()].own -= value;
    }

    /// What is left of each call path itself.
    void addTo(ImportedTree& tree, LocationId location) const {
        for (const auto& [metric, byPath] : sums_)
            for (const auto& [path, sum] : byPath)
                if (sum.own > rounding_ * sum.largest) tree.add(metric, CallPathId(path), location, sum.own);
    }

  private:
    struct Sum {
        double own = 0.0;
        double largest = 0.0;
    };
    double rounding_;
    std::map<MetricId, std::unordered_map<std::size_t, Sum>> sums_;
};

}  // namespace holos::algebra
