// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/archive/archive.h"

namespace holos::cli {

/// Writes `archive::kProfileFile` for a run that only, or also, added up what happened.
void writeProfile(const std::filesystem::path& folder, const archive::Result& result);

}  // namespace holos::cli
