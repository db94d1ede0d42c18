// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gelf.h>

#include <cstdint>
#include <optional>

#include "tracing/code/machine/code_sections.h"

namespace holos::code {

/// Calls in the code of a program or library that say themselves where they lead. Of x86-64; in files of
/// other processors none are known.
class DirectCalls {
  public:
    explicit DirectCalls(Elf* elf);

    /// Where the call leads that returns to this address, in the file's own terms. None where it is no such
    /// call, or leads to another file (by the linker's table for that, `.plt`).
    std::optional<std::uint64_t> targetAt(std::uint64_t returnAddress) const;

  private:
    CodeSections codes_;
};

}  // namespace holos::code
