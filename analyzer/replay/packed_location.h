// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/replay/location_replay.h"

namespace holos::analyzer::replay {

/// A location after its replay, on its way to another process.
std::string pack(ReplayedLocation location);
ReplayedLocation unpack(std::string message, Memory memory);

}  // namespace holos::analyzer::replay
