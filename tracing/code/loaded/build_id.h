// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>

#include "tracing/code/loaded/unwind_table.h"

namespace holos::code {

/// What the linker wrote into a loaded file to tell its build from others (`NT_GNU_BUILD_ID`), in hexadecimal
/// digits; empty where it wrote none. Read from memory: the file may have been replaced since.
class BuildId {
  public:
    /// Reads nothing outside of the file. Async-signal-safe.
    explicit BuildId(const LoadedFile& file) noexcept;

    const char* text() const noexcept { return text_.data(); }

  private:
    static constexpr std::size_t kMostBytes = 32;

    void take(ByteReader notes) noexcept;

    std::array<char, 2 * kMostBytes + 1> text_{};
};

}  // namespace holos::code
