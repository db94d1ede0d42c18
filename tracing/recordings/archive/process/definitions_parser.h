// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "tracing/recordings/archive/process/recorded_process.h"

namespace holos::archive {

/// Parses a `definitions` file's bytes into `process`; used by `readRecording` (`reading.h`).
void parseDefinitions(const std::vector<unsigned char>& bytes, RecordedProcess& process);

}  // namespace holos::archive
