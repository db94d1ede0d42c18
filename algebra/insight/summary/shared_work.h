// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/insight/summary/late_workers.h"

/// What those who are late can give others to do: only what they have worked on a processor.
namespace holos::algebra {

/// By LocationId: at most so much of these seconds of computation was on a processor. The kernel counts that
/// of the whole run: the rest of a thread's computation (`all`) may have been all of what was not.
std::vector<double> onProcessors(const Measures& measures, const std::vector<double>& computed);

/// How much shorter a run is at most without what those who are late work beyond the others, or all work
/// where all are late in turn; where processors lacked, with all having their part of that. No bound where
/// nobody knows what they compute.
double gainOfSharedWork(const LateWorkers& workers, const Spread& spread);
/// How much shorter a run is at most where these members share evenly what they work or sleep, wherever that
/// is.
double gainOfSharedWork(const Measures& measures, const Spread& spread, std::vector<Member> members);

/// Members without what they seem to work or sleep, but had no processor for: the kernel counts that of the
/// whole life of a thread, also where it is too short for the times between its events to tell it.
std::vector<Member> withoutLack(const Measures& measures, std::vector<Member> members);

/// What one of them works there, or sleeps where that is compared; no bound where nobody knows it.
double workOfLate(const LateWorkers& workers, std::size_t member);

/// Whether all are late there in turn, and most of what others wait for is no work, nor sleep or files: each
/// second of that makes all others wait for one second at most.
bool isForNoWork(const LateWorkers& workers, const Spread& spread);

/// How much shorter a run is at most in which the other threads of each process do their part of what its
/// first one does.
double gainOfIdleThreads(const Measures& measures);

}  // namespace holos::algebra
