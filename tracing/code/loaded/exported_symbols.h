// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <link.h>

#include <cstdint>

#include "tracing/code/loaded/frame_rules.h"

namespace holos::code {

/// What a loaded file exports, and what it needs, by the tables that the dynamic linker uses. Takes no lock,
/// allocates nothing. The file must stay loaded meanwhile.
class ExportedSymbols {
  public:
    /// Knows nothing of a file whose headers are not in its first page.
    explicit ExportedSymbols(const LoadedFile& file) noexcept;
    /// Of a file of which `dl_iterate_phdr` tells.
    explicit ExportedSymbols(const dl_phdr_info& file) noexcept;

    struct Symbol {
        std::uint64_t address = 0;
        std::uint64_t bytes = 0;
        bool isIndirect = false;  ///< the function there returns the address that is meant (STT_GNU_IFUNC)
    };
    /// The symbol of this name that programs are linked with today, where there are versions of it. Address 0
    /// where there is none.
    Symbol find(const char* name) const noexcept;

    /// The name by which other files need this one; null where it has none.
    const char* name() const noexcept { return name_; }
    /// Calls `use`, which throws nothing, with the name of each file that this one needs, in their order.
    template <class Use>
    void forEachNeeded(Use use) const noexcept {
        if (entries_ == nullptr || names_ == 0) return;
        for (const ElfW(Dyn)* entry = entries_; entry->d_tag != DT_NULL; ++entry)
            if (entry->d_tag == DT_NEEDED) use(nameAt(entry->d_un.d_val));
    }

  private:
    struct Parts {
        std::uint64_t begin = 0, end = 0;  ///< where the file lies
        std::uint64_t bias = 0;
        const ElfW(Dyn) * entries = nullptr;
    };
    explicit ExportedSymbols(const Parts& parts) noexcept;
    static Parts partsOf(std::uint64_t bias, const ElfW(Phdr) * parts, std::size_t count) noexcept;
    static Parts partsOf(const LoadedFile& file) noexcept;

    const char* nameAt(std::uint64_t offset) const noexcept;
    Symbol symbolAt(std::uint32_t number, const char* name) const noexcept;
    Symbol findInGnuTable(const char* name) const noexcept;
    Symbol findInTable(const char* name) const noexcept;

    std::uint64_t bias_ = 0;
    const ElfW(Dyn) * entries_ = nullptr;
    std::uint64_t symbols_ = 0;
    std::uint64_t names_ = 0;
    std::uint64_t gnuHashes_ = 0;  ///< the table of today's linkers
    std::uint64_t hashes_ = 0;     ///< the one that the standard of the format has
    std::uint64_t versions_ = 0;
    const char* name_ = nullptr;
};

}  // namespace holos::code
