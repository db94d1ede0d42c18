// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/clauses.h"

#include <iterator>

#include "base/suggest.h"
#include "metric-specs/expression_parser.h"
#include "metric-specs/trace_metrics.h"

namespace holos::specs {

std::optional<double> onlyNumber(std::span<const Token> clause, const std::string& what, Problems& problems) {
    const Token* token = clause.size() < 2 ? nullptr : &clause[1];
    const auto number = token != nullptr && token->isWord() ? numberOf(token->text) : std::nullopt;
    if (!number || *number <= 0.0) {
        reportExpected(token, clause[0], what + ", a number larger than 0", problems);
        return std::nullopt;
    }
    if (clause.size() > 2) {
        reportExpected(&clause[2], *token, "the end of the line after the number", problems);
        return std::nullopt;
    }
    return number;
}

bool timeOfTrace(std::span<const Token> clause, std::string& name, Problems& problems) {
    const Token* token = clause.size() < 2 ? nullptr : &clause[1];
    if (token == nullptr || !token->isWord() || !isTraceTime(token->text)) {
        const std::vector<std::string> known(std::begin(kTraceMetrics), std::end(kTraceMetrics));
        const std::string meant = token == nullptr ? "" : didYouMean(token->text, known);
        reportExpected(token, clause[0], "a time of the trace, such as 'comp'" + meant, problems);
        return false;
    }
    if (clause.size() > 2) {
        reportExpected(&clause[2], *token, "the end of the line after the metric", problems);
        return false;
    }
    name = token->text;
    return true;
}

std::optional<std::vector<std::string>> textsOf(const Token& name, std::span<const Token> arguments,
                                                const std::string& what, Problems& problems) {
    std::vector<std::string> texts;
    for (const Token& token : arguments) {
        if (token.kind != Token::Kind::Text) {
            reportExpected(&token, name, what, problems);
            return std::nullopt;
        }
        texts.emplace_back(token.text);
    }
    if (!texts.empty()) return texts;
    reportExpected(nullptr, name, what, problems);
    return std::nullopt;
}

}  // namespace holos::specs
