// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/replay/location_replay.h"

namespace holos::analyzer::replay {

/// A location after its replay, on its way to another process. Patterns have not seen it yet: what they set
/// may point to other records, which would mean nothing there.
std::string pack(LocationTrace location);
LocationTrace unpack(std::string message, Memory memory);

}  // namespace holos::analyzer::replay
