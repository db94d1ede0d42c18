// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace holos::algebra {

/// A file that appears under its name only when it is complete: it is written under a temporary name beside
/// it, and removed again when `commit` was not reached. Every function throws `holos::Error` when the disk
/// does not take it.
class OutputFile {
  public:
    explicit OutputFile(const std::filesystem::path& file);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile();

    void write(std::string_view bytes);
    /// Replaces bytes that were written.
    void rewrite(std::uint64_t offset, std::string_view bytes);
    std::uint64_t size() const { return size_; }
    /// Puts the file under its name. The last call.
    void commit();

  private:
    [[noreturn]] void failWithErrno(const char* what) const;

    std::filesystem::path file_;
    std::string temporary_;
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
};

}  // namespace holos::algebra
