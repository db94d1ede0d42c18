// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace holos::testing {

/// The events of a trace as OTF2's own reader gives them, merged by time: `LOCATION TIME EVENT …`, with times
/// since the first event. Names of regions instead of their numbers; attributes of enters and leaves that are
/// numbers, with their names. Throws `runtime_error` when it complains.
std::vector<std::string> readBack(const std::filesystem::path& anchor);

}  // namespace holos::testing
