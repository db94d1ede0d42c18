// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deque>

#include "metric-specs/lexer.h"
#include "metric-specs/specification.h"

namespace holos::specs {

/// The definitions of a file and of all that it includes.
struct Sources {
    std::deque<SourceText> files;  ///< which the statements refer to
    std::vector<Statement> statements;
};

/// Puts the statements of included files in the place of `include` lines, without those that the including
/// file replaces: what a file says about a name wins over what it includes, kind by kind. Its `platform`,
/// `registers` and `scope` lines win as a whole; `alternative` lines replace nothing. Included units and
/// descriptions of names that nothing else mentions are left out.
Sources gather(std::string text, const std::string& filename, IncludeReader reader, Problems& problems);

/// The statements as one text without `include`.
std::string textOf(const std::vector<Statement>& statements);

}  // namespace holos::specs
