// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

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

}  // namespace holos::algebra
