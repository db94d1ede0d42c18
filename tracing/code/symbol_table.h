// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <elfutils/libdwfl.h>

#include <cstdint>
#include <vector>

namespace holos::code {

/// A function's symbol.
struct CodeSymbol {
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
    const char* name = nullptr;  ///< the file's, which outlives the table
    unsigned char rank = 0;      ///< of several at one place the lowest has the name
    bool isOpen = false;         ///< the file does not say its size; it ends where the next one begins
};

/// The functions of a program or library in the order of their addresses: of `.symtab`, its own or that of
/// its debug file, else of `.dynsym` and mini debug information (`.gnu_debugdata`).
class SymbolTable {
  public:
    explicit SymbolTable(Dwfl_Module* module);

    /// The symbol whose function has this address of the module; null where there is none. `begin`: where the
    /// code begins that unwinding takes for one function, 0 where that is not known. A symbol of which the
    /// file does not say how large it is has the name only if it lies in that code.
    const CodeSymbol* at(std::uint64_t address, std::uint64_t begin) const;

  private:
    void dropLabels();
    std::uint64_t nextBegin(std::size_t place) const;

    std::vector<CodeSymbol> symbols_;
    std::vector<std::uint64_t> reach_;  ///< the highest end of a symbol up to this one
};

}  // namespace holos::code
