// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "algebra/insight/summary/late_workers.h"

/// What those who are late slept, or had no processor for: nobody else can do that instead.
namespace holos::algebra {

/// What makes those who are late late is not sleep, mostly. Then their work is compared, and others that
/// sleep there, such as between two looks for a message, do not work meanwhile.
bool areAwakeAt(const LatePlace& place);

/// The part of what those who are late do that is sleep.
double sleepIn(const LateWorkers& workers, const Spread& spread, const std::vector<Member>& members);

/// How long each of those who are late sleeps at least there, while it seems to compute. 0 where that is not
/// most of what they are longer.
double unseenSleepOf(const LateWorkers& workers, const Spread& spread, const std::vector<Member>& members);
std::string unseenSleepText(const Spread& spread, double unseen);

/// How long each of those who are late is at least on no processor there, while it seems to compute: that is
/// known of all that a thread computes together. 0 where it hardly matters.
double offProcessorsOf(const LateWorkers& workers, const Spread& spread, const std::vector<Member>& members);
std::string offProcessorsText(const Spread& spread, double off);

/// What those who are late sleep there besides, more than the others: their work alone is compared. Empty
/// where it hardly matters, or another problem tells of it.
std::string sleepBesidesText(const LateWorkers& workers, const Spread& spread);

/// Whether those who are late may be so by no more than threads waited for processors. Where all others wait
/// for whoever has none for a while, now one is late, now another, no longer than that makes. `beyond`:
/// seconds that each of those who are late works more than the others, where that is known; else all that
/// others wait for them.
bool mayLackProcessors(const LatePlace& place, std::optional<double> beyond, const Problem& problem);

}  // namespace holos::algebra
