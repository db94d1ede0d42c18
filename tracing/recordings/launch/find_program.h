// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace holos::launch {

/// The file that `name` runs: the path itself, or the first one in PATH. Throws `Error` when there is none,
/// or when the recorder cannot be loaded into it: statically linked, set-uid, or of another architecture.
std::filesystem::path findProgram(const std::string& name);

/// Throws `Error` where a launcher such as mpirun is to start a program that would not run with the recorder,
/// as its C library is not the recorder's. Others run, and are not recorded.
void checkLaunchedPrograms(std::span<const std::string> command);

}  // namespace holos::launch
