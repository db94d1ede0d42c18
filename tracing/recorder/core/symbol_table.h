// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace holos::tracing::core {

/// The functions of a program or library file, which `dladdr` knows only where other libraries may see them.
/// Whatever is wrong with the file: it has no names then.
class SymbolTable {
  public:
    /// May throw for lack of memory.
    explicit SymbolTable(const char* path);

    /// The name, as the linker knows it, of the function that begins at that offset in the file as it is
    /// loaded; empty when there is none.
    std::string at(std::uint64_t offset) const;

    /// Whether some of the file was written in Fortran: it needs the language's library.
    bool isOfFortran() const noexcept { return isOfFortran_; }

  private:
    struct Symbol {
        std::uint64_t offset;
        std::string name;
    };
    std::vector<Symbol> symbols_;  ///< by offset
    bool isOfFortran_ = false;
};

}  // namespace holos::tracing::core
