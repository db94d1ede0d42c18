// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::tables {

/// What is to be said of threads that slept in a way that the recorder did not see, so that it counts as
/// their computation: a sentence for each of the worst, and one for threads of which it is not known. Nothing
/// where it is little.
std::vector<std::string> unseenSleepTexts(const algebra::Experiment& experiment);

}  // namespace holos::tables
