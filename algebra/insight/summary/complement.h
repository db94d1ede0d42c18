// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/insight/summary/measures.h"
#include "algebra/insight/summary/summary.h"

namespace holos::algebra {

/// What a profile tells of waiting, although it has no wait states: who computes less than the others and is
/// as much longer in calls where all meet, or in messages and these, has waited there.
///
///     rank 0  ███████████······  3 s of computing, 1 s in barriers
///     rank 1  █████████████████  4 s of computing
struct Complement {
    double inMessages = 0;     ///< seconds of all processes in messages that are such waiting
    double inCollectives = 0;  ///< in collective operations
    double atBarriers = 0;     ///< of all threads at barriers of OpenMP
    std::vector<Problem> problems;
};

/// Nothing where waits are known anyway.
Complement complementOf(const Measures& measures);

}  // namespace holos::algebra
