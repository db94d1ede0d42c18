// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "tracing/recordings/archive/archive.h"

namespace holos::archive {

/// Writes a file that nobody reads before it is complete, and that does not have to be on the disk by then.
/// Throws `Error`.
void writePlainFile(const fs::path& path, std::string_view text);

}  // namespace holos::archive
