// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algebra/insight/summary/measures.h"

namespace holos::algebra {

/// How long threads could run, but waited for a processor, by the kernel's count.
struct Starvation {
    double seconds = 0;  ///< of all threads
    /// At least so much of it was while they computed. The rest may have been while they waited for each
    /// other in MPI and OpenMP: there many ask again and again, and give their processor to others meanwhile.
    double ofComputation = 0;
    bool isInProportion = false;  ///< of some threads: the kernel counted more than the experiment has
    /// It is known between which events they had no processor: what is known of their waits, and of calls,
    /// is without that. `ofComputation` is then what they had to do meanwhile, in computation and in calls.
    bool isSplit = false;
    double notSplit = 0;  ///< of `seconds`: nobody knows when
    /// Of `notSplit`: at most so much was while they computed. Who only sleeps or waits between two events is
    /// not later for that.
    double notSplitOfWork = 0;
    std::vector<double> notSplitOfWorkBy = {};  ///< by LocationId
};

/// Where the experiment has a part of the run alone, in proportion to the threads' time in it; of a part of
/// its call tree only what is known to be there.
Starvation starvationOf(const Measures& measures);

/// Whether threads starved so much that calls may have taken long, and others may have been late, for no
/// other reason.
bool isStarved(const Measures& measures, const Starvation& starvation);

/// Seconds of all threads; 0 where it is less.
double starvationThatMatters(const Measures& measures);

/// By so much calls of MPI and OpenMP may have taken longer, at whatever end: seconds of all threads that are
/// known or not to be split, 0 where they are not many.
double starvationOfCalls(const Measures& measures);

/// What that means for all other values, in words; nothing where it means nothing.
std::optional<std::string> starvationText(const Measures& measures, const Starvation& starvation);

}  // namespace holos::algebra
