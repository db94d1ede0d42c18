// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "metric-specs/lexer.h"

/// Parts of a definition behind a word of their own. What is wrong is reported at its place.
namespace holos::specs {

/// The number behind a word such as `minimum`, larger than 0; `what` names it in a message.
std::optional<double> onlyNumber(std::span<const Token> clause, const std::string& what, Problems& problems);

/// The time of the trace behind the word `in`, as `name`; false where there is none.
bool timeOfTrace(std::span<const Token> clause, std::string& name, Problems& problems);

/// The texts in double quotes behind a name, at least one.
std::optional<std::vector<std::string>> textsOf(const Token& name, std::span<const Token> arguments,
                                                const std::string& what, Problems& problems);

}  // namespace holos::specs
