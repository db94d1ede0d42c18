// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace holos::tracing::core {

/// What processes have in common that share one clock: `HOLOS_MACHINE` where it is set, else the number that
/// the running kernel gave itself. Empty when there is neither.
std::string machineName();

}  // namespace holos::tracing::core
