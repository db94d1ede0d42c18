// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/command.h"

namespace holos::cli {

/// `holos counters validate`, below `counters`.
void addValidate(Command& counters);

}  // namespace holos::cli
