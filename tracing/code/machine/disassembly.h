// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gelf.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tracing/code/machine/code_sections.h"

namespace holos::code {

/// An instruction as people read it.
struct InstructionText {
    std::uint64_t address = 0;
    std::uint8_t size = 0;  ///< bytes
    std::string text;
};

/// The machine code of a program or library as text (Intel's way of writing), for x86-64; of other processors
/// none is known. Addresses are the file's own.
class Disassembly {
  public:
    /// The file must live longer.
    explicit Disassembly(Elf* elf);

    /// From an instruction at `begin` on. What cannot be decoded is a `(byte)`.
    std::vector<InstructionText> between(std::uint64_t begin, std::uint64_t end) const;

  private:
    bool isKnown_ = false;
    CodeSections codes_;
};

}  // namespace holos::code
