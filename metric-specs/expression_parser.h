// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "metric-specs/formula.h"
#include "metric-specs/problems.h"

namespace holos::specs {

struct Token {
    enum class Kind : std::uint8_t {
        Word,      ///< keyword, name or number
        Operator,  ///< one of `+ - * / ( ) = < <= > >=`
        Text,      ///< between double quotes, which are not part of `text`
    };
    Kind kind = Kind::Word;
    std::string_view text;
    std::uint64_t line = 1;
    std::uint64_t column = 1;

    bool is(char op) const { return kind == Kind::Operator && text.size() == 1 && text.front() == op; }
    bool isWord() const { return kind == Kind::Word; }
    bool isWord(std::string_view word) const { return isWord() && text == word; }
};

/// The tokens of one definition, never empty.
using Tokens = std::vector<Token>;

struct Statement {
    Tokens tokens;
    std::string_view text;  ///< its lines, with the comments before them
    std::string_view file = {};
};

inline constexpr std::string_view kKeywords[] = {
    "aggroup", "alias",    "alternative", "compose",   "compute", "describe", "finding", "include",
    "measure", "platform", "ratio",       "registers", "scope",   "seconds",  "trust",   "unit"};
bool isKeyword(std::string_view word);

/// Cuts a specification into definitions, one per line. A line goes on when it ends with an operator or a
/// backslash, or when the next one begins with an operator or a text. `#` begins a comment, except inside a
/// text.
///
/// `-` and `/` are operators only where a name cannot go on: behind a blank or at the start of an operand, so
/// that `page-faults` and `HT_I/O_XFER` are names. `+`, `*` and parentheses always are. Before the first `=`
/// of a definition `=` ends a name; behind it, it may be part of one (`event:cpu=0`).
///
/// The tokens refer to `source`. Bad bytes are reported to `problems` and left out.
std::vector<Statement> tokenize(std::string_view source, Problems& problems);

/// Parses the terms of a `compose`: names separated by `+`. Reports to `problems` and returns nothing when
/// they are wrong. `end` is the token before the terms; messages about missing terms point behind it.
std::optional<Formula> parseSum(std::span<const Token> tokens, const Token& end, Problems& problems);

/// Parses the expression of a `compute`: `+ - * /`, parentheses, signs, numbers and names.
std::optional<Formula> parseExpression(std::span<const Token> tokens, const Token& end, Problems& problems);

/// Parses as `parseExpression` does, but numbers alone are an expression, too.
std::optional<Formula> parseValue(std::span<const Token> tokens, const Token& end, Problems& problems);

/// The number that a word spells (`1000`, `1.6e9`), if it does.
std::optional<double> numberOf(std::string_view word);

/// Reports a word that cannot be the name of a metric or an event; true when it can.
bool checkName(const Token& token, Problems& problems);

/// Reports `expected` at the token, or behind `last` when there is no token left.
void reportExpected(const Token* token, const Token& last, const std::string& expected, Problems& problems);

}  // namespace holos::specs
