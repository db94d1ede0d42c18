// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>

#include "cli/watch/watch_formats.h"

namespace holos::cli {

/// Pictures on the whole terminal, one after the other, until the user has seen enough. Throws `Error` where
/// the terminal is not known. Leaves it as it was, whatever ends the command but SIGKILL.
void watchOnScreen(WatchedRun& watched, std::chrono::milliseconds interval);

}  // namespace holos::cli
