// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "analyzer/patterns/pattern.h"

namespace holos::analyzer::patterns {

/// All patterns. The metrics of two patterns stand in this order below their parent, and so do their longest
/// waits.
std::span<const Pattern* const> allPatterns();

/// Null where nobody waits.
const CollectiveRule* ruleOf(replay::Collective operation);
/// The kind of waiting in a collective operation.
Kind kindOf(replay::Collective operation);

/// Whether time of idle threads is counted in a program with such regions: it follows from the time of the
/// first thread of a process, which says nothing of threads that the program starts itself.
bool countsIdleThreads(const std::vector<trace::RegionClass>& classes);

/// Calls `visit` with the single waits of one location, after the search.
void visitAllWaits(const JudgedTrace& run, trace::LocationId location, const VisitWait& visit);

}  // namespace holos::analyzer::patterns
