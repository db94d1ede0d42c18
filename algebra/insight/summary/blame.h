// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "algebra/insight/summary/measures.h"

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

/// Where a thread had no processor, of which nothing can be shared out.
bool isShortage(const Measures& measures, CallPathId path);

/// Others wait there for something that is no part of the program, but a lack of processors or the recorder.
bool isNotOfProgram(const Measures& measures, CallPathId path);

/// By CallPathId: waits for locks whose holder had no processor there. What causes tell compares all that two
/// threads did since they met last; a holder without a processor makes others wait only while it has the
/// lock, and each of those who use locks for no longer than that.
std::vector<double> lockWaitsForStarved(const Measures& measures);

/// Of the one of `waitRules()` whose problem is called so.
std::size_t positionOfRule(std::string_view problem);

}  // namespace holos::algebra
