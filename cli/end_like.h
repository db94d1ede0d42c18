// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/recordings/launch/program.h"

namespace holos::cli {

/// Ends this process as the program ended: with its status, or by its signal.
[[noreturn]] void endLike(const launch::Ending& ending);

}  // namespace holos::cli
