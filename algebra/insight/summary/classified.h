// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// The experiment with the metrics of time that rules ask for (MPI's, OpenMP's, computation), where it has
/// times, but does not say what they were spent in: raw profiles of Score-P, for example. Which of them the
/// time of a call path belongs to is decided by its region's paradigm, role and name. The metrics stand
/// behind those that were there. Nothing where the experiment says so itself.
std::optional<Experiment> classified(const Experiment& experiment);

}  // namespace holos::algebra
