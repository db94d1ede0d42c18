// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace holos::tracing::stacks {

/// Sees to it that the file of this code, and where it is in memory, is among the definitions. Makes system
/// calls for each file once, allocates nothing and takes no lock.
void rememberFile(std::uint64_t address) noexcept;

}  // namespace holos::tracing::stacks
