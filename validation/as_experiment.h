// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/model/experiment.h"
#include "validation/validation.h"

namespace holos::validation {

/// A validation for the tools that compare experiments. Call paths are EVENT / MICROBENCHMARK / SIZE, a
/// location is an observed processor. Metrics are PREDICTED and REPORTED counts, the standard DEVIATION of a
/// run, the ratio DIFFERENCE of reported and predicted counts in percent, and READ_TIME and READ_EVENTS of
/// EVENT / reading.
algebra::Experiment asExperiment(const Validation& validation);

}  // namespace holos::validation
