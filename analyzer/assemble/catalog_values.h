// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "analyzer/assemble/base_values.h"
#include "analyzer/assemble/metric_catalog.h"
#include "analyzer/patterns/severities.h"

namespace holos::analyzer::assemble {

/// A severity of one location.
struct PathValue {
    std::uint32_t path;
    std::int64_t value;
};

/// All severities of one location that are not zero, in a list for each entry of the catalog.
class LocationValues {
  public:
    /// One value of an entry.
    struct Found {
        std::uint16_t entry;
        PathValue value;
    };
    LocationValues() = default;
    /// `found`: by ascending call path.
    LocationValues(const std::vector<Found>& found, std::size_t entries);

    /// By ascending call path.
    std::span<const PathValue> of(std::size_t entry) const {
        if (ends_.empty()) return {};
        const std::uint32_t begin = entry == 0 ? 0 : ends_[entry - 1];
        return {values_.data() + begin, values_.data() + ends_[entry]};
    }

  private:
    std::vector<PathValue> values_;
    std::vector<std::uint32_t> ends_;  ///< by entry: where its values end
};

/// Evaluates the catalog. A call path takes only as long as it has metrics that may not be zero: those of
/// its region's class, and all of them where a pattern was found.
/// Thread safety: safe to read.
class CatalogValues {
  public:
    CatalogValues(const paths::MergedTree& merged, const Catalog& entries);

    LocationValues evaluate(std::size_t location, const BaseValues& base,
                            const patterns::LocalSeverities& severities) const;

  private:
    class Evaluation;
    /// Positions of entries, children before parents.
    using Plan = std::vector<std::uint16_t>;

    bool mayHaveValue(const Metric& entry, const trace::RegionClass& regionClass) const;
    Plan planFor(const trace::RegionClass& regionClass) const;

    const paths::MergedTree& merged_;
    const Catalog& entries_;
    std::vector<std::vector<std::uint16_t>> children_;  ///< by entry
    std::vector<std::uint16_t> notComputation_;         ///< entries that computation is the rest of
    Plan everything_;
    std::vector<Plan> plans_;  ///< by region
};

}  // namespace holos::analyzer::assemble
