// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>

#include "algebra/model/experiment.h"

namespace holos::analyzer {

/// Whether Holos recorded the trace of this anchor: `measurement.json` is in its folder, and names a run.
bool isOwnTrace(const std::filesystem::path& anchor);

/// Keeps with an experiment what `measurement.json`, in the folder of its trace, says of the run: the
/// processor, the rest of its configuration by the names that the KOJAK paper's Table 1 has (operating
/// system, MPI, compiler, nodes, processes, threads, …), that threads moved between cores, and how well sums
/// of multiplexed counters are known
/// (`kErrorAttribute`). What the file does not say, or what cannot be read, is left unknown; of the latter a
/// sentence says so (`kUnreadFactsAttribute`).
void addRecordedFacts(algebra::Experiment& experiment, const std::filesystem::path& folder);

}  // namespace holos::analyzer
