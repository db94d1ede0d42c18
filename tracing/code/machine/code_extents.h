// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gelf.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace holos::code {

/// Where functions start and end, as the unwind table (`.eh_frame`) of a program or library tells it.
/// Stripped files have it, too.
class CodeExtents {
  public:
    struct Extent {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        bool isSignalReturn = false;  ///< what a signal's handler returns to
        /// Where the table of its exceptions is (LSDA); 0: it has none.
        std::uint64_t exceptions = 0;
        bool hasUnknownExceptions = false;  ///< it has one, and where is not known
    };

    explicit CodeExtents(Elf* elf);

    /// By an address in the file's own terms. None where the table is silent.
    std::optional<Extent> at(std::uint64_t address) const;

  private:
    std::vector<Extent> extents_;
};

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
