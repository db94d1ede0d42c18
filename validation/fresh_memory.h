// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace holos::validation {

/// Zeroed pages of the base size that nobody touched yet; transparent huge pages are off.
class FreshMemory {
  public:
    /// Throws Error when there is not as much.
    explicit FreshMemory(std::size_t bytes);
    ~FreshMemory();
    FreshMemory(const FreshMemory&) = delete;
    FreshMemory& operator=(const FreshMemory&) = delete;

    char* begin() const noexcept { return begin_; }
    std::size_t bytes() const noexcept { return bytes_; }

  private:
    char* begin_;
    std::size_t bytes_;
};

/// What the system says.
std::size_t pageBytes();

}  // namespace holos::validation
