// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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
    /// Bytes that the file had when it was opened.
    std::uint64_t size() const { return size_; }

    /// Exactly `count` bytes; throws `holos::Error` when the file ends before them. Nothing is allocated for
    /// a range that lies outside the file.
    std::string read(std::uint64_t offset, std::uint64_t count) const;
    void read(std::uint64_t offset, std::uint64_t count, char* into) const;

    /// Throws `holos::Error` unless the file still has these bytes.
    void requirePresent(std::uint64_t offset, std::uint64_t count) const;

    /// Throws a `holos::Error` about this place in the file.
    [[noreturn]] void fail(const std::string& message, std::uint64_t byte) const;

  private:
    std::string name_;
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
};

/// A part of a file. Small pieces come from blocks around them, of which each thread keeps a few, so that
/// rows that are read one after the other cost one call of the system for many; large pieces are read as they
/// are. Nothing is mapped: a file that another program shortens is an error, not the end of this program.
///
/// Thread safety: safe.
class FilePart {
  public:
    /// Throws `holos::Error` when the part lies outside the file.
    FilePart(std::shared_ptr<const FileReader> file, std::uint64_t offset, std::uint64_t size);

    std::uint64_t size() const { return size_; }
    /// Bytes of the part; the caller keeps within it. Throws `holos::Error` when they are no longer there.
    void read(std::uint64_t at, std::uint64_t count, char* into) const;
    /// As `read`, for bytes whose neighbours nobody wants.
    void readAlone(std::uint64_t at, std::uint64_t count, char* into) const {
        file_->read(offset_ + at, count, into);
    }

  private:
    const char* block(std::uint64_t number) const;

    std::shared_ptr<const FileReader> file_;
    std::uint64_t offset_;
    std::uint64_t size_;
    std::uint64_t number_;  ///< no other part ever has the same
};

}  // namespace holos::algebra
