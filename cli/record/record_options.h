// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/command.h"
#include "tracing/launch/record_request.h"

namespace holos::cli {

/// Adds all but the program and its arguments to the command.
void addOptions(Command& command, launch::RecordRequest& request);

}  // namespace holos::cli
