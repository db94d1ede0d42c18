// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "analyzer/workers/ranks.h"

namespace holos::analyzer::workers {

/// The processes that a launcher such as mpirun started together with this one; this one alone when none did,
/// or when it is the only one. `folders`: where the libraries that are linked to MPI may be; the first one of
/// the launcher's family of MPI that can be loaded is. Throws `holos::Error` when there is none. MPI begins
/// meanwhile; that launcher and MPI disagree is found, and thrown, when one rank first waits for another.
/// Call it once.
std::unique_ptr<Ranks> launchedRanks(const std::vector<std::filesystem::path>& folders);

}  // namespace holos::analyzer::workers
