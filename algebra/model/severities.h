// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "algebra/model/ids.h"
#include "algebra/model/rows.h"
#include "algebra/model/structure.h"

namespace holos::algebra {

class RememberedResults;

/// The values of an experiment's metrics. They stay where they are, in a file or in the inputs of an
/// operator, until they are asked for: whole and for good by `table`, or in passing by `rows`. Queries keep
/// small metrics in memory, and read large ones row by row (`tableIfSmall`, `opened`).
///
/// Thread safety: safe to read.
class Severities {
  public:
    Severities();
    Severities(Severities&&) noexcept;
    Severities& operator=(Severities&&) noexcept;
    ~Severities();

    void set(MetricId metric, SeverityTable table);
    /// Values that need not be in memory as a whole. What `source` throws comes out of `table` and `rows`.
    void setRows(MetricId metric, RowSource source);

    /// The metric's table, which stays in memory from now on; an empty one (no rows at all,
    /// `callPaths() == 0`) when nothing was ever set.
    const SeverityTable& table(MetricId metric) const;
    SeverityTable& edit(MetricId metric);

    /// The metric's values for one pass; nothing is kept that was not in memory before.
    RowsPtr rows(MetricId metric) const { return source(metric)(); }
    /// The metric's values for later: what they are now, whatever becomes of this object.
    RowSource source(MetricId metric) const;

    /// True when anything was set.
    bool has(MetricId metric) const;

    /// As `table` where the values are in memory or small enough to be kept there: the tables that this keeps
    /// take 256 MiB together, and 64 MiB each, at most; 1 MiB where another machine combines them. Null for
    /// the others.
    const SeverityTable* tableIfSmall(MetricId metric) const;
    /// The values of a metric that is too large for that. They stay open, so that the next query does not
    /// read their index again.
    RowsPtr opened(MetricId metric) const;
    /// The sums of such a metric, added up (`add`) when they are first asked for, or stored with the values.
    std::shared_ptr<const RowSums> sums(MetricId metric,
                                        const std::function<RowSums(const Rows&)>& add) const;
    /// True when queries read no file.
    bool isInMemory(MetricId metric) const;
    /// True when the next query of this metric may have to ask another machine.
    bool isFar(MetricId metric) const;
    /// False when `sums` would have to read more than some megabytes, or to ask another machine.
    bool isAtHand(MetricId metric) const;
    /// What queries found in metrics that are too large to be kept; forgotten when values change.
    RememberedResults& results() const;

  private:
    struct Entry;
    struct Kept;
    Entry& entry(MetricId metric);
    Entry* find(MetricId metric) const;

    std::vector<std::unique_ptr<Entry>> entries_;
    std::unique_ptr<Kept> kept_;
};

}  // namespace holos::algebra
