// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace holos::testing {

/// Whether attributes tell of times without a processor, which a busy machine decides about.
enum class ProcessorTimes { LeftOut, Told };

/// The events of a trace as OTF2's own reader gives them, merged by time: `LOCATION TIME EVENT …`, with times
/// since the first event. Names of regions instead of their numbers; attributes of enters and leaves that are
/// numbers, with their names. Throws `runtime_error` when it complains.
std::vector<std::string> readBack(const std::filesystem::path& anchor,
                                  ProcessorTimes times = ProcessorTimes::LeftOut);

}  // namespace holos::testing
