// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "algebra/insight/summary/late_workers.h"

/// For whom others wait, as the analysis of causes has found: where several faults meet in one place, what
/// each does there in all does not tell it.
namespace holos::algebra {

/// One for whom others wait in some kinds of calls.
struct BlamedOne {
    std::size_t member = 0;     ///< position among the workers
    double seconds = 0;         ///< that others wait for it
    MetricNames waits;          ///< that most of this is
    bool isOfMessages = false;  ///< most of it is for its messages
};

/// Without places of their own within this one. Nothing where it is not the same one for nearly all waiting
/// of a kind, such as where now one is late, now another, or where others that do not wait themselves may be
/// as late: where all meet, the last one alone is blamed. Who is waited for in several kinds of calls stands
/// there once; the one with most comes first.
std::vector<BlamedOne> blamedIn(const LateWorkers& workers);

/// How much longer others wait there for this one than for each of the others.
double blamedBeyond(const LateWorkers& workers, std::size_t member);

}  // namespace holos::algebra
