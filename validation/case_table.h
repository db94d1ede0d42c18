// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

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

}  // namespace holos::validation
