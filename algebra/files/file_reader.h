// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace holos::algebra {

/// A file open for reading at any place.
///
/// Thread safety: safe.
class FileReader {
  public:
    /// Throws `holos::Error` when there is no such readable regular file.
    explicit FileReader(const std::filesystem::path& file);
    FileReader(const FileReader&) = delete;
    FileReader& operator=(const FileReader&) = delete;
    ~FileReader();

    const std::string& name() const { return name_; }
    /// When it was opened.
    std::uint64_t size() const { return size_; }

    /// Exactly `count` bytes; throws `holos::Error` when the file ends before them. Nothing is allocated for
    /// a range that lies outside the file.
    std::string read(std::uint64_t offset, std::uint64_t count) const;
    void read(std::uint64_t offset, std::uint64_t count, char* into) const;

    /// The address of this part of the file in memory, to be given back with `munmap`; `offset` is a multiple
    /// of the page size. Throws `holos::Error`.
    void* map(std::uint64_t offset, std::uint64_t count) const;
    /// Throws `holos::Error` unless the file still has these bytes.
    void requirePresent(std::uint64_t offset, std::uint64_t count) const;

    /// Throws a `holos::Error` about this place in the file.
    [[noreturn]] void fail(const std::string& message, std::uint64_t byte) const;

  private:
    std::string name_;
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
};

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
