// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>

#include "tracing/code/machine/machine_code.h"

namespace holos::code {

struct Instruction;

/// Bytes: all are of this size.
inline constexpr std::uint8_t kAarch64Instruction = 4;

/// Of an instruction at an address (Arm Architecture Reference Manual, "Branches, Exception Generating and
/// System instructions").
Instruction aarch64Instruction(std::uint32_t word, std::uint64_t address);

/// The place in memory from which a linker's stub at this address reads where to jump, by its first two
/// instructions (`adrp` and `ldr`); none for other code.
std::optional<std::uint64_t> aarch64Slot(std::uint32_t page, std::uint32_t load, std::uint64_t address);

/// Of an instruction at an address. Number 31 is the stack pointer.
Operation aarch64Operation(std::uint32_t word, std::uint64_t address);

}  // namespace holos::code
