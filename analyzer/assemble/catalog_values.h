// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "analyzer/assemble/metric_catalog.h"
#include "analyzer/paths/call_tree_merge.h"
#include "analyzer/patterns/severities.h"

namespace holos::analyzer::assemble {

/// Whole numbers by call path.
using PathValues = std::vector<std::int64_t>;

/// What every time metric of one location is made of, by call path, in ticks. Empty where all is zero.
struct BaseValues {
    PathValues time;  ///< exclusive, as measured
    PathValues visits;
    PathValues idle;     ///< idle threads, limited parallelism included
    PathValues limited;  ///< limited parallelism

    std::int64_t idleAt(std::size_t path) const { return idle.empty() ? 0 : idle[path]; }
    std::int64_t limitedAt(std::size_t path) const { return limited.empty() ? 0 : limited[path]; }
    bool isZero(std::size_t path) const {
        return time[path] == 0 && visits[path] == 0 && idleAt(path) == 0 && limitedAt(path) == 0;
    }
};

/// From local nodes to call paths.
PathValues toPaths(const paths::MergedTree& merged, std::size_t location,
                   const std::vector<std::int64_t>& byNode);

/// Scalasca's heuristic for reserved, but unused threads. Call paths are visited in their order. Outside of
/// OpenMP constructs the master's time is idle time of its workers. An outermost construct is a run of call
/// paths that are deeper than its first one; what its workers have less than their master is limited
/// parallelism. In traces with call paths everything, and in all others what the measurement itself does,
/// such as writing its buffers, and waiting for a processor belongs to the construct of the call path above
/// it, however late it comes in the order. Thread safety: safe to read.
class OpenMpConstructs {
  public:
    OpenMpConstructs(const paths::MergedTree& merged, const trace::Definitions& definitions);
    /// The first call path of the outermost construct around a call path; `kNone` where there is none.
    std::uint32_t around(std::size_t path) const { return around_[path]; }
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    /// Whether it is a member of a team.
    bool isOfTeam(trace::LocationId location) const { return isOfTeam_[location.index()] != 0; }

  private:
    std::vector<std::uint32_t> around_;  ///< by call path
    std::vector<char> isOfTeam_;
};

/// Hands the base values of each location of a process to `use`, one after the other. With `constructs`, the
/// time of idle threads is among them.
void visitBaseValues(const replay::ReplayedCalls& calls, const paths::MergedTree& merged,
                     const patterns::Severities& severities, const trace::Process& process,
                     const OpenMpConstructs* constructs,
                     const std::function<void(trace::LocationId, const BaseValues&)>& use);

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
    std::vector<bool> areBytes_;                        ///< by entry
    std::vector<std::uint16_t> notComputation_;         ///< entries that computation is the rest of
    Plan everything_;
    std::vector<Plan> plans_;  ///< by region
};

}  // namespace holos::analyzer::assemble
