// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gelf.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "tracing/code/machine/machine_code.h"

namespace holos::code {

/// What a program or library has in memory that nothing changes, neither the program nor the loader.
class ReadOnlyData {
  public:
    /// The file must live longer.
    explicit ReadOnlyData(Elf* elf);

    /// None where there is no such data.
    std::optional<std::uint64_t> numberAt(std::uint64_t address, Operation::Part part) const;

  private:
    struct Section {
        std::uint64_t begin;
        std::uint64_t size;
        const unsigned char* bytes;
    };
    std::vector<Section> sections_;
};

}  // namespace holos::code
