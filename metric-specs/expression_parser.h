// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>

#include "metric-specs/formula.h"
#include "metric-specs/lexer.h"

namespace holos::specs {

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
