// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gelf.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "tracing/code/machine/code_extents.h"

namespace holos::code {

/// Calls of a function that may end with an exception, and where the function goes on then.
struct LandingPad {
    std::uint64_t begin = 0;  ///< of the calls
    std::uint64_t end = 0;
    std::uint64_t pad = 0;
};

/// The tables of exceptions of a program or library (`.gcc_except_table`).
class LandingPads {
  public:
    /// The file must live longer.
    explicit LandingPads(Elf* elf);

    /// Of a function; none where its table cannot be read.
    std::optional<std::vector<LandingPad>> of(const CodeExtents::Extent& function) const;

  private:
    struct Table {
        std::uint64_t begin;
        std::uint64_t end;
        const unsigned char* bytes;
    };
    std::vector<Table> tables_;  ///< sections
};

}  // namespace holos::code
