// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/memory/by_location.h"
#include "analyzer/replay/location_replay.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::replay {

/// The end of the replay of processes whose threads share requests: joins what one thread began with its
/// completion by another one, so that the records of either name the other's and have what was known there.
/// Where no thread began what was completed, a diagnosis of the location says so.
void joinRequests(const trace::Definitions& definitions, ByLocation<LocationTrace>& traces,
                  ByLocation<std::vector<Diagnosis>>& diagnoses, workers::Workers& workers);

}  // namespace holos::analyzer::replay
