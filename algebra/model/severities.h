// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "algebra/model/ids.h"
#include "algebra/model/rows.h"
#include "algebra/model/severity_table.h"
#include "algebra/model/structure.h"

namespace holos::algebra {

/// The values of an experiment's metrics. They stay where they are, in a file or in the inputs of an
/// operator, until they are asked for: whole and for good by `table`, or in passing by `rows`.
///
/// Thread safety: safe to read.
class Severities {
  public:
    using Loader = std::function<SeverityTable()>;

    void set(MetricId metric, SeverityTable table);
    /// A whole table, made when it is first needed. `loader` may throw `holos::Error`, which then comes out
    /// of `table` and `rows`.
    void setLoader(MetricId metric, Loader loader);
    /// Values that need not be in memory as a whole.
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

  private:
    struct Entry {
        std::mutex loading;
        RowSource source;
        std::shared_ptr<SeverityTable> table;
    };
    Entry& entry(MetricId metric);
    Entry* find(MetricId metric) const;

    std::vector<std::unique_ptr<Entry>> entries_;
};

}  // namespace holos::algebra
