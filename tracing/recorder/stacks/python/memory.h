// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "tracing/code/loaded/byte_reader.h"

namespace holos::tracing::stacks::python {

/// The program's memory, which may not be what it is taken for.
class Memory {
  public:
    enum class Trust : std::uint8_t {
        All,   ///< the thread called the recorder: what its interpreter points to is there
        None,  ///< it was interrupted anywhere: each page is asked for
    };
    explicit Memory(Trust trust) noexcept : isTrusted_(trust == Trust::All) {}

    /// False where the thread may not read there, and, if it was interrupted, for more than a megabyte.
    bool isReadable(std::uint64_t address, std::uint64_t bytes) noexcept {
        if (isTrusted_) return address >= kPage;
        constexpr std::uint64_t kMost = 1U << 20U;
        return address >= kPage && bytes <= kMost && address + bytes >= address &&
               areReadable(address, bytes);
    }

    template <class T>
    bool read(std::uint64_t address, T& value) noexcept {
        if (!isReadable(address, sizeof value)) return false;
        std::memcpy(&value, code::bytesAt(address), sizeof value);
        return true;
    }

  private:
    static constexpr std::uint64_t kPage = 4096;

    bool areReadable(std::uint64_t address, std::uint64_t bytes) noexcept;

    bool isTrusted_;
    std::size_t next_ = 0;
    std::array<std::uint64_t, 8> pages_{};  ///< that can be read
};

}  // namespace holos::tracing::stacks::python
