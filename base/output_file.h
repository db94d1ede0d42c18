// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/links.h"

namespace holos {

/// A file that appears under its name only when it is complete; when `commit` is not reached, what was there
/// before stays. Permissions of an earlier file are kept. Other than regular files are opened at once, and
/// written by `commit`. Every function throws `holos::Error` when the disk does not take it.
class OutputFile {
  public:
    explicit OutputFile(const std::filesystem::path& file, Links links = Links::Followed);
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
    void openBeside(const std::filesystem::path& file);
    void openSpecial();
    void keepOwnerAndPermissions() const;
    void giveName();
    void copyToSpecial() const;
    [[noreturn]] void failWithErrno(const char* what) const;

    std::filesystem::path name_;       ///< as the user gave it, for messages
    std::filesystem::path target_;     ///< with links followed
    std::filesystem::path temporary_;  ///< empty while the new file has no name
    Descriptor content_;               ///< the new file
    Descriptor special_;               ///< what `commit` writes; none: the new file is renamed
    std::uint64_t size_ = 0;
};

/// Writes a whole file as `OutputFile` does.
void writeFile(const std::filesystem::path& file, std::string_view text, Links links = Links::Followed);

}  // namespace holos
