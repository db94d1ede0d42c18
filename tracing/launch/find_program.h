// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

namespace holos::launch {

/// The file that `name` runs: the path itself, or the first one in PATH. Throws `Error` when there is none,
/// or when the recorder cannot be loaded into it: statically linked, set-uid, or of another architecture.
std::filesystem::path findProgram(const std::string& name);

}  // namespace holos::launch
