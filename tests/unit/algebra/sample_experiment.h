// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "algebra/model/experiment.h"

namespace holos::algebra::testing {

/// The tree 0(1(2),3),4(5), so that depth-first order (0 1 2 3 4 5) and wide order (0 1 3 2 4 5) differ; two
/// processes with two threads each. No metrics.
///
///     main ─ work ─ inner        (0, 1, 2)
///          └ halo                (3)
///     aux  ─ tick                (4, 5)
Experiment sampleStructure();

/// A metric of this name and storage whose value at call path p and location l is `factor * (10 * p + l +
/// 1)`.
MetricId addSampleMetric(Experiment& experiment, const std::string& name, double factor,
                         Storage storage = Storage::Exclusive, ValueType type = ValueType::Double);

/// Adds a metric without values.
MetricId addDerivedMetric(Experiment& experiment, const std::string& name, Storage storage,
                          const std::string& expression);

}  // namespace holos::algebra::testing
