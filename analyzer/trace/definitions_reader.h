// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>

#include "analyzer/trace/definitions.h"

namespace holos::analyzer::trace {

/// The anchor file (`….otf2`) that a user means: the path itself, or the only such file in the directory.
/// Throws `holos::Error` when there is none, or several of which none is called `traces.otf2`.
std::filesystem::path findAnchor(const std::filesystem::path& archiveOrDirectory);

/// Reads the global definitions. Throws `holos::Error` when they cannot be read to their end.
Definitions readDefinitions(const std::filesystem::path& anchor);

}  // namespace holos::analyzer::trace
