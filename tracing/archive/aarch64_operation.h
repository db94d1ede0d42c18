// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "tracing/archive/operation.h"

namespace holos::archive {

/// Of an instruction at an address. Number 31 is the stack pointer.
Operation aarch64Operation(std::uint32_t word, std::uint64_t address);

}  // namespace holos::archive
