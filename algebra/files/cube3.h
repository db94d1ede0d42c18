// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"
#include "base/output_file.h"

namespace holos::algebra {

/// Files of CUBE 3 that are larger are not held in memory.
inline constexpr std::uint64_t kLargeCube3 = std::uint64_t{64} << 20;

/// Reads a `.cube` document (CUBE 3), packed by gzip or not; machines and nodes become system nodes of these
/// classes. All values are looked at once. Those of files that have more bytes than `large` stay there, and
/// are read when they are asked for, unless the file is packed or has comments between its values. Throws
/// `holos::Error` with file and line.
Experiment readCube3(const std::filesystem::path& file, std::uint64_t large = kLargeCube3);

/// Writes a document that CUBE 3 and later read, packed when `file` ends in `.gz`. What stood there before is
/// replaced only when everything was written. Throws `holos::Error`.
void writeCube3(const Experiment& experiment, const std::filesystem::path& file,
                Links links = Links::Followed);

/// What `writeCube3` leaves out or changes because CUBE 3 has no place for it: a phrase for each kind, such
/// as "additional files: notes, holos.spec".
std::vector<std::string> lossesInCube3(const Experiment& experiment);

}  // namespace holos::algebra
