// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/show/show_formats.h"

namespace holos::cli {

/// What recurs in repeated runs of a program, as text or JSON. Throws `holos::Error` for a file that is not
/// of a run.
std::string showRepeats(const std::vector<std::filesystem::path>& files, const ShowRequest& request,
                        const Style& style);

}  // namespace holos::cli
