// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>

#include "analyzer/trace/definitions.h"

namespace holos::analyzer::trace {

/// Reads the global definitions. Throws `holos::Error` when they cannot be read to their end.
Definitions readDefinitions(const std::filesystem::path& anchor);

}  // namespace holos::analyzer::trace
