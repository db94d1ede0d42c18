// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gelf.h>

#include <cstdint>
#include <vector>

namespace holos::code {

/// The sections of a program or library that hold code. Addresses are the file's own.
class CodeSections {
  public:
    struct Section {
        std::uint64_t begin;
        std::uint64_t end;
        const unsigned char* bytes;
    };
    /// What the linker makes to reach functions of other files (`.plt`) is code, too.
    enum class LinkersCode : std::uint8_t { Counts, LeftOut };

    CodeSections() = default;  ///< none
    /// The file must live longer.
    CodeSections(Elf* elf, LinkersCode linkers);

    /// Null where there is no code.
    const Section* at(std::uint64_t address) const;

  private:
    std::vector<Section> sections_;  ///< ascending
};

}  // namespace holos::code
