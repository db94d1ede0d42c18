// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/input_file.h"
#include "base/number.h"

namespace holos::algebra {

/// The lines of a text file one after the other, of whatever size the file is.
class TextLines {
  public:
    /// Throws `Error` when there is no such regular file.
    explicit TextLines(const std::filesystem::path& file);

    /// The next line without its end, valid until the one after it is asked for; nothing at the end. Throws
    /// `Error` for a line that is longer than any in such files.
    std::optional<std::string_view> next();
    /// Of the line that came last, from 1.
    std::uint64_t number() const { return number_; }

    /// Throws an `Error` about the line that came last.
    [[noreturn]] void fail(const std::string& message) const;

  private:
    bool fill();

    std::string name_;
    Descriptor file_;
    std::string held_;        ///< what was read, from the file's `read_` backwards
    std::size_t at_ = 0;      ///< in `held_`: where the next line begins
    std::uint64_t read_ = 0;  ///< bytes of the file so far
    std::uint64_t number_ = 0;
};

/// Takes blanks and tabs off the begin of the text.
void takeBlanks(std::string_view& text);
/// Takes the first word and the blanks behind it off the text.
std::string_view takeWord(std::string_view& text);

}  // namespace holos::algebra
