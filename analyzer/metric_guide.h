// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/model/metric_guide.h"

namespace holos::analyzer {

/// What helps to understand the metrics that an analysis finds, whether Holos or Scalasca made it.
const algebra::MetricGuide& metricGuide();

}  // namespace holos::analyzer
