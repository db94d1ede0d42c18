// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/folding.h"

#include <algorithm>

#include "algebra/model/value_kinds.h"

namespace holos::algebra {

DenseRows::DenseRows(const Union& united, const Inputs& inputs, MetricId metric, std::size_t input)
    : map_(united.inputs[input]),
      missing_(missingValue(united.result.metrics[metric].valueType)),
      spread_(united.result.system.locations.size()) {
    for (const Contribution& each : united.contributions[metric.index()])
        if (each.input == input) table_ = &inputs[input].get().severities.table(each.metric);
    if (table_ != nullptr && table_->callPaths() == 0) table_ = nullptr;
}

std::span<const double> DenseRows::row(CallPathId path) {
    const auto source = map_.sources[path.index()];
    if (table_ == nullptr || !source) return {};
    const std::span<const double> values = table_->row(*source);
    if (values.empty() || (map_.sameLocations && values.size() == spread_.size())) return values;
    std::fill(spread_.begin(), spread_.end(), missing_);
    for (std::size_t at = 0; at < values.size(); ++at) spread_[map_.locations[at].index()] = values[at];
    return spread_;
}

}  // namespace holos::algebra
