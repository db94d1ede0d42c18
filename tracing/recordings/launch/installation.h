// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

namespace holos::launch {

/// The program `holos` itself.
std::string thisProgram();

/// The folder of this installation, or build tree.
std::filesystem::path topFolder();

/// Where it has its libraries.
std::filesystem::path libraryFolder();

}  // namespace holos::launch
