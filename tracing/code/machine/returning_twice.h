// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gelf.h>

#include <cstdint>
#include <unordered_set>

#include "tracing/code/machine/machine_code.h"

namespace holos::code {

/// Which calls of a program or library lead to functions that may return several times from one call:
/// `setjmp` and the like.
class ReturningTwice {
  public:
    explicit ReturningTwice(Elf* elf);

    /// False where it certainly is not.
    bool isCalledBy(const Instruction& call, const MachineCode& code) const;

  private:
    std::unordered_set<std::uint64_t> functions_;  ///< addresses
    std::unordered_set<std::uint64_t> slots_;      ///< places where the loader puts those of other files
};

}  // namespace holos::code
