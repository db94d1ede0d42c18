// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "algebra/operators/unite.h"

namespace holos::algebra {

/// One input's rows of a metric, with a value for every location of the union.
class DenseRows {
  public:
    DenseRows(const Union& united, const Inputs& inputs, MetricId metric, std::size_t input);

    /// The values at a call path of the union, `missingValue` at locations that the input lacks; empty where
    /// all are missing. Valid until the next call.
    std::span<const double> row(CallPathId path);

  private:
    const SeverityTable* table_ = nullptr;  ///< null: the input lacks the metric
    const InputMap& map_;
    double missing_;
    std::vector<double> spread_;
};

/// Visits the inputs one after the other and the call paths of each: `visit(input, path, values)`, with no
/// values where all are missing. One input's metric is in use at a time.
template <class Visit>
void foldInputs(const Union& united, const Inputs& inputs, MetricId metric, Visit visit) {
    for (std::size_t input = 0; input < inputs.size(); ++input) {
        DenseRows rows(united, inputs, metric, input);
        for (const CallPathId path : united.result.callTree.ids()) visit(input, path, rows.row(path));
    }
}

}  // namespace holos::algebra
