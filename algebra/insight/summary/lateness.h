// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "algebra/insight/summary/measures.h"
#include "algebra/insight/summary/spread.h"
#include "algebra/insight/summary/summary.h"

namespace holos::algebra {

/// What makes others wait, by call path alone.
struct Delays {
    bool areCauses = false;                   ///< else the experiment has none, and this is where waiting is
    std::vector<std::vector<double>> byRule;  ///< in the order of `waitRules()`
    std::vector<std::vector<double>> handedOn;  ///< of these the part that comes through waits of others
    /// Of all rules: waiting for those who had no processor meanwhile. It is no part of the others.
    double ofShortage = 0;
    /// Waiting at OpenMP barriers for threads that took long to begin a region, and hardly work in it. It is
    /// no part of the others either: nobody has too much to do.
    double ofManagement = 0;
    /// What is lost in waits for the end of threads is lost because of threads that are there one at a time,
    /// while hardly anybody else computes.
    bool areOneAtATime = false;
};

/// The delays of an experiment.
Delays delaysOf(const Measures& measures);

/// What it is called that those of such a spread come late: `{}`s longer than the others.
std::string titleOfLateOnes(Spread::Shape shape, bool areThreads, const char* verb);

/// A problem of those who come late in a call path, which is one of `all`.
Problem lateness(const Measures& measures, const Delays& delays, const Place& place,
                 std::span<const Place> all);

}  // namespace holos::algebra
