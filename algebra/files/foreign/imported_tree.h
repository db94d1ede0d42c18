// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
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

}  // namespace holos::algebra
