// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace holos::specs {

/// One thing that is wrong in a specification.
struct Problem {
    std::string file;
    std::uint64_t line = 1;    ///< from 1
    std::uint64_t column = 1;  ///< from 1, in bytes
    std::string text;          ///< the offending text; empty at the end of a line
    std::string message;       ///< what is wrong, what was expected, and a suggestion where there is one
};

/// Everything that is wrong in one specification, in the order of its files and lines. `what()` has one line
/// for each.
class SpecificationError : public Error {
  public:
    explicit SpecificationError(std::vector<Problem> problems);
    const std::vector<Problem>& problems() const noexcept { return problems_; }

  private:
    std::vector<Problem> problems_;
};

/// Collects the problems of a file and those that it includes. Bounded: after `kMost` only the number grows.
class Problems {
  public:
    static constexpr std::size_t kMost = 100;

    /// What is added from now on is about this file.
    void enter(std::string_view file);
    void add(std::uint64_t line, std::uint64_t column, std::string_view text, const std::string& message);
    bool empty() const { return problems_.empty(); }
    /// Throws SpecificationError when there is any.
    void throwIfAny();

  private:
    std::vector<std::string> files_;  ///< in the order of `enter`
    std::string file_;
    std::vector<Problem> problems_;
    std::size_t more_ = 0;
};

/// `text` in quotes, shortened, with bytes that do not print as `\xNN`: safe to show on a terminal.
std::string inQuotes(std::string_view text);

}  // namespace holos::specs
