// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>

#include "algebra/files/file_reader.h"

namespace holos::algebra {

/// A part of a file in the address space: what is read of it comes straight from the system's page cache, and
/// what is not read costs nothing.
///
/// A file that another program shortens between the check of its size, which is repeated every few
/// megabytes, and the access ends the program with SIGBUS. Files that are replaced by renaming, as Holos
/// does, are safe.
///
/// Thread safety: safe.
class MappedRange {
  public:
    /// Throws `holos::Error` when the range lies outside the file or cannot be mapped.
    MappedRange(std::shared_ptr<const FileReader> file, std::uint64_t offset, std::uint64_t size);
    MappedRange(const MappedRange&) = delete;
    MappedRange& operator=(const MappedRange&) = delete;
    ~MappedRange();

    std::uint64_t size() const { return size_; }
    /// Bytes of the range; the caller keeps within it. Memory that was used for earlier bytes is given back
    /// now and then, so that a pass through a large range takes little.
    std::string_view bytes(std::uint64_t at, std::uint64_t count) const {
        const std::uint64_t before = used_.fetch_add(count, std::memory_order_relaxed);
        if (before / kStep != (before + count) / kStep) refresh();
        return {data_ + at, count};
    }

  private:
    static constexpr std::uint64_t kStep = std::uint64_t{8} << 20;
    void refresh() const;

    std::shared_ptr<const FileReader> file_;
    std::uint64_t offset_;
    std::uint64_t size_;
    void* base_ = nullptr;      ///< start of the first page
    std::uint64_t mapped_ = 0;  ///< bytes from there
    const char* data_ = nullptr;
    mutable std::atomic<std::uint64_t> used_{0};
};

}  // namespace holos::algebra
