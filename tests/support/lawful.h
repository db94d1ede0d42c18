// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "algebra/model/experiment.h"

namespace holos::testing {

/// The laws of results that this one does not obey, a line each; empty for sound ones. Asked of all that
/// tests make of generated or random runs and experiments.
std::string brokenLaws(const algebra::Experiment& experiment);

/// Throws `std::logic_error` with what `brokenLaws` says, where that is something.
void requireLaws(const algebra::Experiment& experiment);

}  // namespace holos::testing
