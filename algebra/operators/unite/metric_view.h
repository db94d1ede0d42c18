// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// The metrics of an experiment that an operator works on, possibly arranged in another way.
struct MetricView {
    MetricForest metrics;
    std::vector<MetricId> source;  ///< per metric of the view: its id in the experiment
};

/// All metrics as they are.
MetricView everything(const Experiment& experiment);

/// Without ratios; what stands below one moves up.
MetricView withoutRatios(const Experiment& experiment);

/// Without what a specification derived: composed and computed metrics are left out, measurements that stood
/// below them or were renamed are roots again and carry the name of their event.
MetricView measurements(const Experiment& experiment);

}  // namespace holos::algebra
