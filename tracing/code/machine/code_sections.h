// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gelf.h>

#include <cstdint>
#include <optional>
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
