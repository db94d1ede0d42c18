// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// A metric whose value is time lost by waiting for somebody else.
struct WaitState {
    std::string_view uniqueName;  ///< Scalasca's
    std::string_view meaning;     ///< who waits for whom, in a few words
};

/// All that Scalasca 2.6 knows (its pattern help; final metric tree), and those of Holos.
std::span<const WaitState> waitStates();

/// The entry of a metric; null when it is no wait state.
const WaitState* findWaitState(std::string_view uniqueName);

/// The wait states of an experiment that are not part of another wait state, in ascending order of ids.
std::vector<MetricId> outermostWaitStates(const Experiment& experiment);

}  // namespace holos::algebra
