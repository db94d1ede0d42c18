// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "algebra/model/experiment.h"
#include "metric-specs/processor.h"

namespace holos::algebra {

/// Keeps in the attributes of an experiment on which processor it was recorded: `holos::processor::vendor`
/// and so on. Of experiments that are combined, the first one's stays.
void setProcessor(Experiment& experiment, const specs::Processor& processor);

/// The processor that was kept; nothing known in experiments of other tools.
specs::Processor processorOf(const Experiment& experiment);

}  // namespace holos::algebra
