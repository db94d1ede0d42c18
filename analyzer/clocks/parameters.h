// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace holos::analyzer::clocks {

/// Of the controlled logical clock; times in seconds. The defaults are those of Scalasca.
struct ClockParameters {
    double control = 0.99999;  ///< which part of an interval remains of it while a clock falls back to its
                               ///< own time
    double step = 1e-9;        ///< least time between two events of a location
    double message = 1e-6;     ///< least time from a send to its receive
    double collective = 1e-6;  ///< least time from the start of a collective operation to an end after it
    double threads = 1e-8;     ///< the same among the threads of a team
    double slope = 0.01;       ///< how much faster than its own time a clock may run to come to a correction
};

}  // namespace holos::analyzer::clocks
