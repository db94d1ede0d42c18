// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/command.h"
#include "tracing/launch/record_request.h"

namespace holos::cli {

/// Records processes that run already (`--attach`), until they end, a signal comes, the time is over or the
/// given command ends, and makes the trace. Throws `UsageError` for options that need the recorder in the
/// program, and `Error` where the kernel does not allow it.
void recordAttached(const launch::RecordRequest& asked, const Command& command);

}  // namespace holos::cli
