// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <memory>

#include "analyzer/workers/ranks.h"

namespace holos::analyzer::workers {

/// The processes that a launcher such as mpirun started together with this one; this one alone when none did,
/// or when it is the only one. `plugins`: the folder with the libraries that are linked to MPI, of which the
/// one of the launcher's MPI is loaded. Throws `holos::Error` when there is none. MPI begins meanwhile; that
/// launcher and MPI disagree is found, and thrown, when one rank first waits for another. Call it once.
std::unique_ptr<Ranks> launchedRanks(const std::filesystem::path& plugins);

}  // namespace holos::analyzer::workers
