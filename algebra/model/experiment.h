// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "algebra/model/ids.h"
#include "algebra/model/severities.h"
#include "algebra/model/structure.h"

namespace holos::algebra {

/// An attribute of an experiment whose values were added up while the program ran, without events: a version
/// number.
inline constexpr const char* kProfileAttribute = "holos::profile";

/// A Cartesian grid on which processes or locations have places (CUBE's `<cart>`).
struct Topology {
    struct Dimension {
        std::string name;
        std::uint64_t size = 0;
        bool periodic = false;
    };
    /// One place of one process or location; both may have several.
    struct Coordinate {
        std::variant<LocationId, ProcessId> resource;
        std::vector<std::uint64_t> position;  ///< one number below `size` per dimension
    };
    std::string name;
    std::vector<Dimension> dimensions;
    std::vector<Coordinate> coordinates;
};

/// Metrics whose evaluation took long and then failed, with the reason: no query tries that again. Copied or
/// moved, it starts anew.
///
/// Thread safety: safe.
class KnownFailures {
  public:
    KnownFailures() = default;
    KnownFailures(const KnownFailures&) noexcept {}
    KnownFailures& operator=(const KnownFailures& other) noexcept {
        if (this != &other) reasons_.clear();
        return *this;
    }
    ~KnownFailures() = default;

    std::optional<std::string> of(MetricId metric) const {
        const std::lock_guard lock(guard_);
        const auto found = reasons_.find(metric);
        return found == reasons_.end() ? std::nullopt : std::optional(found->second);
    }
    void add(MetricId metric, const std::string& reason) const {
        const std::lock_guard lock(guard_);
        reasons_.emplace(metric, reason);
    }
    std::size_t size() const {
        const std::lock_guard lock(guard_);
        return reasons_.size();
    }

  private:
    mutable std::mutex guard_;
    mutable std::map<MetricId, std::string> reasons_;
};

/// Something that is computed when it is first asked for, once. Copied or moved, it starts anew.
///
/// Thread safety: safe.
template <class Value>
class Once {
  public:
    Once() = default;
    Once(const Once&) noexcept {}
    Once& operator=(const Once& other) noexcept {
        if (this != &other) value_.reset();
        return *this;
    }
    ~Once() = default;

    /// `compute` must not ask for the same value.
    template <class Compute>
    const Value& get(Compute compute) const {
        const std::lock_guard lock(computing_);
        if (!value_) value_ = std::make_shared<const Value>(compute());
        return *value_;
    }

  private:
    mutable std::mutex computing_;
    mutable std::shared_ptr<const Value> value_;
};

/// Values of a metric of type `Compound` as the file has them: rows of bytes in the order of its index.
struct CompoundValues {
    std::string index;  ///< the whole index member of the container
    std::string data;   ///< the whole data member
};

struct Initialisation;

/// Metrics × call tree × system tree, with the severities. Built by one owner, then shared as
/// `std::shared_ptr<const Experiment>`, which any number of threads may read.
struct Experiment {
    MetricForest metrics;
    std::vector<Region> regions;
    CallTree callTree;
    SystemTree system;
    Severities severities;

    Attributes attributes;                     ///< of the file as a whole
    std::vector<std::string> mirrors;          ///< bases of `@mirror@` in URLs
    std::map<std::string, std::string> files;  ///< other members of the container by name, kept as they are
    std::vector<Topology> topologies;
    std::string metricsTitle, callTreeTitle, systemTitle;  ///< headings of the three trees; mostly empty

    /// Valid as long as the call tree and the locations stay as they were read.
    std::map<MetricId, std::shared_ptr<const CompoundValues>> compoundValues;

    /// For queries: what the metrics' initialisations leave behind. An owner who changes metrics or call tree
    /// after a query moves the experiment on, which forgets it.
    Once<Initialisation> initialisation;
    /// Metrics that queries do not try again, because their expressions take too long.
    KnownFailures failures;

    const Region& operator[](RegionId id) const { return regions[id.index()]; }
    /// The callee of a call path.
    const Region& regionOf(CallPathId path) const { return (*this)[callTree[path].region]; }
    /// A table of this experiment's size.
    SeverityTable newTable() const { return {callTree.size(), system.locations.size()}; }
    /// The first metric of this unique name in ascending order of ids, or nothing.
    std::optional<MetricId> findMetric(const std::string& uniqueName) const {
        for (const MetricId id : metrics.ids())
            if (metrics[id].uniqueName == uniqueName) return id;
        return std::nullopt;
    }
};

/// The member of `Experiment::files` that holds the specification its derived metrics came from.
inline constexpr const char* kSpecificationFile = "holos.spec";

}  // namespace holos::algebra
