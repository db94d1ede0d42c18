// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/collate/base_values.h"
#include "analyzer/collate/metric_catalog.h"

namespace holos::analyzer::collate {

/// A severity of one location.
struct PathValue {
    std::uint32_t path;
    std::int64_t value;
};

/// Evaluates the catalog. A call path takes only as long as it has metrics that may not be zero: those of
/// its region's class, and all of them where a pattern was found.
class CatalogValues {
  public:
    CatalogValues(const MergedTree& merged, const std::vector<CatalogEntry>& entries);

    /// By entry: the values of one location that are not zero, by ascending call path. Safe from several
    /// threads.
    std::vector<std::vector<PathValue>> evaluate(std::size_t location, const BaseValues& base,
                                                 const patterns::LocalSeverities& severities) const;

  private:
    class Evaluation;
    /// Positions of entries, children before parents.
    using Plan = std::vector<std::uint16_t>;

    bool mayHaveValue(const CatalogEntry& entry, const trace::RegionClass& regionClass) const;
    Plan planFor(const trace::RegionClass& regionClass) const;

    const MergedTree& merged_;
    const std::vector<CatalogEntry>& entries_;
    std::vector<std::vector<std::uint16_t>> children_;  ///< by entry
    std::vector<std::uint16_t> notComputation_;         ///< entries that computation is the rest of
    Plan everything_;
    std::vector<Plan> plans_;  ///< by region
};

}  // namespace holos::analyzer::collate
