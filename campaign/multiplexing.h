// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"
#include "algebra/operators/unite/inputs.h"

namespace holos::campaign {

/// The total of an event that was counted together with all others, in turns, and in runs that counted it all
/// of the time.
struct MultiplexedTotal {
    std::string event;
    std::string unit;
    double estimate = 0.0;
    std::vector<double> others;   ///< totals of the other runs; at least one
    double mean = 0.0;            ///< of these
    double deviation = 0.0;       ///< of these; 0 for one
    std::optional<double> error;  ///< that was stated: two standard deviations in parts of the estimate

    /// (estimate - mean) / mean; infinite where nothing was counted otherwise.
    double difference() const;
    /// Whether it is off by more than was stated, and by more than two standard deviations of the other runs;
    /// false where only one is there, as nothing is known of these.
    bool isFurtherOffThanStated() const;
};

/// Of all events that both counted, in the order of the multiplexed run. An error is stated where the
/// recorder knows it (`kErrorAttribute`): not for events that were counted all of the time.
std::vector<MultiplexedTotal> compareMultiplexed(const algebra::Experiment& multiplexed,
                                                 const std::vector<std::string>& events,
                                                 const algebra::Inputs& others);

/// As CSV, with a line of headings.
std::string tableOf(const std::vector<MultiplexedTotal>& totals);

}  // namespace holos::campaign
