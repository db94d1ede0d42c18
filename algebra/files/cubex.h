// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"
#include "algebra/model/row_sums.h"
#include "base/output_file.h"

namespace holos::algebra {

/// Reads a `.cubex` container (CUBE 4) of any writer. The structure is read at once, each metric's values
/// when they are first asked for; the file stays open until then. Ids are those of the model, not of the
/// file: call paths in document order, locations by ascending column. Throws `holos::Error` with file and
/// line or byte for a file that is missing, truncated, damaged or of another kind; a damage of values comes
/// out of `Severities::table`.
Experiment readCubex(const std::filesystem::path& file);

/// What `readCubex` passes over, a sentence each: members that hold values of no metric, and values that are
/// fewer or more than their index promises. Throws as it does.
std::vector<std::string> containerProblems(const std::filesystem::path& file);

/// Writes a container that CubeLib, CubeGUI and `readCubex` read. What stood at `file` before is replaced
/// only when everything was written; on failure nothing is left behind. Throws `holos::Error`.
///
/// `sums`: metrics with an element there get the sums of what is written into it; where these cannot be known
/// the element is removed.
void writeCubex(const Experiment& experiment, const std::filesystem::path& file,
                Links links = Links::Followed, WantedSums* sums = nullptr);

}  // namespace holos::algebra
