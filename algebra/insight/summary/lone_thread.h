// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "algebra/insight/summary/measures.h"
#include "algebra/insight/summary/summary.h"

namespace holos::algebra {

/// A run in which hardly two threads work at a time: nearly all that they work is on the critical path.
struct LoneThread {
    double working = 0;  ///< seconds that all threads work, or could work and have no processor
    std::vector<double>
        waited;          ///< by LocationId: what it sleeps or waits in joins at least while another computes
    double inJoins = 0;  ///< of that, of all threads, what is waited in joins and counts as no loss yet
};

/// Threads or processes that wait in the system for each other (pipes, queues, signals, files, a flag that
/// they read now and then) or in a row of joins: who waits for whom there was not recorded, or is no loss of
/// that pair alone. Nothing where it is not known what is critical, or where threads work at the same time.
///
///     thread 1  ███████·······███████     the one reads what the other writes
///     thread 2  ·······███████·······
std::optional<LoneThread> loneThreadOf(const Measures& measures);

/// Said where it is worth saying.
std::optional<Problem> loneThreadProblem(const Measures& measures);

}  // namespace holos::algebra
