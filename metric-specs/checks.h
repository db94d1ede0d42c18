// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deque>
#include <map>

#include "metric-specs/expression_parser.h"
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
std::string statementsText(const std::vector<Statement>& statements);

/// Where the parser found what.
struct Origins {
    using Names = std::map<std::string_view, Position, std::less<>>;
    std::vector<const Statement*> definitions;  ///< by index of Specification::definitions
    std::vector<const Statement*> findings;     ///< by index of Specification::findings
    Names defined;  ///< names of all definitions, also of those that could not be read
    Names findingNames;
    Names units;
    Names descriptions;
    Names trust;
};

/// What each line alone cannot show: cycles, metrics with two parents, names that are nowhere defined, sets
/// that cannot be counted, annotations of nothing.
void check(const Specification& specification, const Origins& origins, Problems& problems);

}  // namespace holos::specs
