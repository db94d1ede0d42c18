// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace holos {

/// FNV-1a with 64 bits (Fowler, Noll, Vo): a number of some bytes that is the same in every process. Nothing
/// is allocated.
class Fnv1a {
  public:
    Fnv1a& add(const void* data, std::size_t bytes) noexcept {
        for (std::size_t i = 0; i < bytes; ++i)
            value_ = (value_ ^ static_cast<const unsigned char*>(data)[i]) * 0x100000001B3U;
        return *this;
    }
    std::uint64_t value() const noexcept { return value_; }

  private:
    std::uint64_t value_ = 0xCBF29CE484222325U;
};

}  // namespace holos
