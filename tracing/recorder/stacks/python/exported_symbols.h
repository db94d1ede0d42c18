// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "tracing/code/loaded/unwind_table.h"

namespace holos::tracing::stacks::python {

/// What a loaded file exports, by the tables that the dynamic linker uses. Takes no lock, allocates nothing.
class ExportedSymbols {
  public:
    explicit ExportedSymbols(const code::LoadedFile& file) noexcept;

    struct Symbol {
        std::uint64_t address = 0;
        std::uint64_t bytes = 0;
    };
    /// Address 0 where there is none of that name.
    Symbol find(const char* name) const noexcept;

  private:
    std::uint64_t inMemory(std::uint64_t address) const noexcept;

    std::uint64_t begin_ = 0;
    std::uint64_t bias_ = 0;
    std::uint64_t end_ = 0;
    std::uint64_t symbols_ = 0;
    std::uint64_t names_ = 0;
    std::uint64_t hashes_ = 0;
};

}  // namespace holos::tracing::stacks::python
