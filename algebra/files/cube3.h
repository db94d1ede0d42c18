// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"
#include "base/output_file.h"

namespace holos::algebra {

/// Reads a `.cube` document (CUBE 3), packed by gzip or not, with all its values; machines and nodes become
/// system nodes of these classes. Memory grows with the structure and the rows that have values, not with
/// the length of the document. Throws `holos::Error` with file and line.
Experiment readCube3(const std::filesystem::path& file);

/// Writes a document that CUBE 3 and later read, packed when `file` ends in `.gz`. What stood there before is
/// replaced only when everything was written. Throws `holos::Error`.
void writeCube3(const Experiment& experiment, const std::filesystem::path& file,
                Links links = Links::Followed);

/// What `writeCube3` leaves out or changes because CUBE 3 has no place for it: a phrase for each kind, such
/// as "additional files: notes, holos.spec".
std::vector<std::string> lossesInCube3(const Experiment& experiment);

}  // namespace holos::algebra
