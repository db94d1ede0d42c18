// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tracing/code/debug/source_functions.h"

namespace holos::code {

/// A directive of OpenMP, as a source in C, C++ or Fortran has it.
struct Directive {
    std::uint32_t line = 0;          ///< the first of it
    std::vector<std::string> words;  ///< of its name, in lower case: `parallel`, `for`
    bool hasNoWait = false;          ///< has the clause `nowait`

    bool has(std::string_view word) const;
    bool begins(std::string_view word) const { return !words.empty() && words.front() == word; }
};

/// The directives of a file that begin on the lines from `first` to `last`, in their order. Comments and what
/// stands between `#if 0` and its end have none. None where the file cannot be read.
std::vector<Directive> directivesOf(const std::string& file, std::uint32_t first, std::uint32_t last);

/// Whether a line behind a directive stands in what that is for: before the end of the statement that follows
/// it, in Fortran before the directive that ends it.
bool isWithin(const std::string& file, const Directive& directive, std::uint32_t line);

/// A place in a source, both counted from 1; a column is a byte.
struct SourcePlace {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

/// What the loop behind a directive does first: from `for` to the first semicolon.
struct LoopHead {
    SourcePlace begin;
    SourcePlace end;
};

/// Lines of 0 where no `for` follows the directive.
LoopHead headBehind(const std::string& file, const Directive& directive);

/// Whether a file is one of Fortran, by its name.
bool isFortranFile(const std::string& file);

/// The line of the directive of a loop of OpenMP, by the call that begins the loop, which stands on `line` of
/// the file. Where it cannot be known among several, the line on which the function begins that the loop is
/// in; `line` where the source has no directive for it.
///
/// gcc gives the call the line of what its code has before it: that is what stands before the directive, or,
/// optimised, mostly the first statement of the loop's head, `int i = 0`.
std::uint32_t lineOfLoop(const CallLines& call, const std::string& file, std::uint32_t line);

}  // namespace holos::code
