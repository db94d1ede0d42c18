// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "algebra/model/experiment.h"
#include "validation/validation.h"

namespace holos::validation {

/// A validation as a table of comma-separated values, one line a case:
///
///     # machine: SGI Origin 2000
///     event,microbenchmark,processor,predicted,runs,mean,deviation,nanoseconds
///     PAPI_L1_DCM,others-lines,0,1,100,5.41,1.61,
///
/// The cost of reading an event is a line of the microbenchmark `reading`, with the time of a reading;
/// lines that begin with `#` say something of the machine. What was found of its configuration is not kept.
std::string tableOf(const Validation& validation);

/// Reads such a table. Throws Error with the line that is wrong.
Validation readTable(const std::string& text, const std::string& file);

/// A validation for the tools that compare experiments. Call paths are EVENT / MICROBENCHMARK / SIZE, a
/// location is an observed processor. Metrics are PREDICTED and REPORTED counts, the standard DEVIATION of a
/// run, the ratio DIFFERENCE of reported and predicted counts in percent, and READ_TIME and READ_EVENTS of
/// EVENT / reading.
algebra::Experiment asExperiment(const Validation& validation);

}  // namespace holos::validation
