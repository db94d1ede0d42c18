// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "algebra/model/experiment.h"
#include "base/chosen.h"

namespace holos::algebra {

struct Scaling {
    double factor = 1.0;
    /// Unique names of measured roots of the metric forest, with everything below them.
    Chosen<std::string> metrics = kAll;
    std::string unit = {};  ///< of the scaled metrics; empty: as it was
};

/// Every value times the factor, such as counted cycles as seconds. A whole number stays one where the factor
/// leaves all of them whole. Composed and computed metrics are evaluated again where the experiment carries
/// its specification; a negative factor makes maxima of minima. Throws Error for a factor that is no
/// number, and for a metric that is not there or is part of another one.
Experiment scale(Experiment experiment, const Scaling& scaling);

}  // namespace holos::algebra
