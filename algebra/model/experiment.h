// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algebra/model/known_failures.h"
#include "algebra/model/once.h"
#include "algebra/model/severities.h"
#include "algebra/model/structure.h"
#include "algebra/model/topology.h"

namespace holos::algebra {

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
