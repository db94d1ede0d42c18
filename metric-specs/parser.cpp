// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/suggest.h"
#include "metric-specs/checks.h"
#include "metric-specs/expression_parser.h"
#include "metric-specs/processor_parser.h"
#include "metric-specs/specification.h"
#include "metric-specs/trace_metrics.h"

namespace holos::specs {

namespace {

using Arguments = std::span<const Token>;

/// The number behind a word such as `minimum`, larger than 0; `what` names it in a message.
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

/// The time of the trace behind the word `in`, as `name`; false where there is none.
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

/// The texts in double quotes behind a name, at least one.
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

/// A statement of the form `KEYWORD NAME = ARGUMENTS`.
struct Assignment {
    const Token& keyword;
    const Token& name;
    const Token& equals;
    Arguments arguments;
};

/// The arguments before the first `word`, and the token `word` with what follows.
std::pair<Arguments, Arguments> splitAt(Arguments arguments, std::string_view word) {
    const auto found =
        std::ranges::find_if(arguments, [word](const Token& token) { return token.isWord(word); });
    const auto count = static_cast<std::size_t>(found - arguments.begin());
    return {arguments.first(count), arguments.subspan(count)};
}

std::optional<Comparison::Relation> relationOf(const Token& token) {
    if (token.kind != Token::Kind::Operator) return std::nullopt;
    if (token.text == "<") return Comparison::Relation::Less;
    if (token.text == "<=") return Comparison::Relation::LessEqual;
    if (token.text == ">") return Comparison::Relation::Greater;
    if (token.text == ">=") return Comparison::Relation::GreaterEqual;
    return std::nullopt;
}

class Parser {
  public:
    Parser(Specification& specification, Problems& problems) : spec_(specification), problems_(problems) {}

    Origins run(const std::vector<Statement>& statements) {
        for (const Statement& each : statements) {
            statement_ = &each;
            problems_.enter(each.file);
            statement(each.tokens);
        }
        return std::move(origins_);
    }

  private:
    void statement(Arguments tokens) {
        alternative_ = tokens[0].isWord("alternative");
        if (alternative_) {
            if (tokens.size() < 2 || !isFormula(tokens[1]))
                return expected(tokens.size() < 2 ? nullptr : &tokens[1], tokens[0],
                                "compose, compute, ratio or seconds");
            tokens = tokens.subspan(1);
        }
        const Token& keyword = tokens[0];
        if (!keyword.isWord() || !isKeyword(keyword.text)) return unknownKeyword(keyword);
        if (keyword.text == "registers") return parseRegisters(tokens, spec_.registers, problems_);
        if (tokens.size() < 2 || !tokens[1].isWord())
            return expected(tokens.size() < 2 ? nullptr : &tokens[1], keyword, "the name to define");
        if (!checkName(tokens[1], problems_)) return;
        if (keyword.text == "platform") return platform(tokens);
        if (keyword.text == "describe") return describe(tokens[1], tokens.subspan(2));
        if (keyword.text == "trust") return trust(tokens[1], tokens.subspan(2));
        if (tokens.size() < 3 || !tokens[2].is('='))
            return expected(tokens.size() < 3 ? nullptr : &tokens[2], tokens[1], "'='");
        assignment({keyword, tokens[1], tokens[2], tokens.subspan(3)});
    }

    static bool isFormula(const Token& keyword) {
        return keyword.isWord("compose") || keyword.isWord("compute") || keyword.isWord("ratio") ||
               keyword.isWord("seconds");
    }

    void assignment(const Assignment& line) {
        const std::string_view keyword = line.keyword.text;
        if (keyword == "measure") return measure(line);
        if (keyword == "aggroup") return aggroup(line);
        if (keyword == "unit") return unit(line);
        if (keyword == "alias") return alias(line);
        if (keyword == "scope") return scope(line);
        if (keyword == "finding") return finding(line);
        if (!isNewFormula(line.name)) return;
        auto definition = formula(line);
        if (!definition) return;
        definition->name = line.name.text;
        definition->at = positionOf(line.name);
        spec_.definitions.push_back(std::move(*definition));
        origins_.definitions.push_back(statement_);
    }

    void unknownKeyword(const Token& token) {
        std::string list;
        for (const std::string_view keyword : kKeywords)
            list += (list.empty() ? "" : ", ") + std::string(keyword);
        const std::vector<std::string> keywords(std::begin(kKeywords), std::end(kKeywords));
        wrong(token, "found " + inQuotes(token.text) + " where a definition begins, expected one of " + list +
                         didYouMean(token.text, keywords));
    }

    /// Several lines of one name are alternatives.
    void platform(Arguments tokens) {
        if (spec_.platform && spec_.platform->name != tokens[1].text)
            return wrong(tokens[1], "the file is for " + inQuotes(spec_.platform->name) +
                                        " already; a file is for one platform");
        if (!spec_.platform) spec_.platform.emplace().name = tokens[1].text;
        parsePlatform(tokens, *spec_.platform, problems_);
    }

    // Metrics

    std::optional<Definition> formula(const Assignment& line) {
        if (line.keyword.text == "ratio") return ratio(line);
        if (line.keyword.text == "seconds") return seconds(line);
        const bool adds = line.keyword.text == "compose";
        auto formula = adds ? parseSum(line.arguments, line.equals, problems_)
                            : parseExpression(line.arguments, line.equals, problems_);
        if (!formula) return std::nullopt;
        Definition definition;
        definition.kind = adds ? Definition::Kind::Compose : Definition::Kind::Compute;
        definition.formula = std::move(*formula);
        return definition;
    }

    /// `ratio NAME = EXPRESSION / EXPRESSION [minimum NUMBER]`
    std::optional<Definition> ratio(const Assignment& line) {
        const auto [quotient, limit] = splitAt(line.arguments, "minimum");
        const auto formula = parseExpression(quotient, line.equals, problems_);
        if (!formula) return std::nullopt;
        auto parts = splitQuotient(*formula);
        if (!parts || parts->second.terms.empty()) {
            wrong(quotient.front(),
                  "expected one quotient of metrics: put factors into the numerator, as in "
                  "'100 * A / ( A + B )'");
            return std::nullopt;
        }
        Definition definition;
        definition.kind = Definition::Kind::Ratio;
        definition.formula = std::move(parts->first);
        definition.denominator = std::move(parts->second);
        if (limit.empty()) return definition;
        const auto minimum = onlyNumber(limit, "the smallest denominator", problems_);
        if (!minimum) return std::nullopt;
        definition.minimum = *minimum;
        return definition;
    }

    /// `seconds NAME = EXPRESSION [at HERTZ] [in METRIC]`
    std::optional<Definition> seconds(const Assignment& line) {
        const auto [time, place] = splitAt(line.arguments, "in");
        const auto [cycles, clock] = splitAt(time, "at");
        auto formula = parseExpression(cycles, line.equals, problems_);
        if (!formula) return std::nullopt;
        Definition definition;
        definition.kind = Definition::Kind::Seconds;
        definition.formula = std::move(*formula);
        if (!place.empty() && !timeOfTrace(place, definition.within, problems_)) return std::nullopt;
        if (clock.empty()) return definition;
        const auto hertz = onlyNumber(clock, "the clock in Hz", problems_);
        if (!hertz) return std::nullopt;
        definition.hertz = *hertz;
        return definition;
    }

    void measure(const Assignment& line) {
        const auto& [keyword, name, equals, arguments] = line;
        if (arguments.empty() || !arguments[0].isWord())
            return expected(arguments.empty() ? nullptr : arguments.data(), equals, "the name of an event");
        if (arguments.size() > 1)
            return expected(&arguments[1], arguments[0], "the end of the line after the event");
        if (!checkName(arguments[0], problems_)) return;
        if (arguments[0].text == name.text)
            return wrong(name, inQuotes(name.text) + " is measured as itself");
        if (!aliased_.emplace(name.text, arguments[0].text).second)
            return wrong(name, "the same measurement is defined twice");
        spec_.aliases.push_back({std::string(name.text), std::string(arguments[0].text), positionOf(name)});
    }

    // Events

    void aggroup(const Assignment& line) {
        if (!isNew(sets_, line.name)) return;
        if (line.arguments.empty()) return expected(nullptr, line.equals, "the events of the set");
        MeasurementSet set{std::string(line.name.text), {}, positionOf(line.name)};
        std::set<std::string_view> members;
        for (const Token& token : line.arguments) {
            if (!token.isWord()) return expected(&token, line.equals, "the name of an event");
            if (!checkName(token, problems_)) return;
            if (!members.insert(token.text).second)
                return wrong(token, inQuotes(token.text) + " is in the set twice");
            set.events.emplace_back(token.text);
        }
        spec_.sets.push_back(std::move(set));
    }

    /// `alias EVENT = OTHER OTHER …`
    void alias(const Assignment& line) {
        if (line.arguments.empty()) return expected(nullptr, line.equals, "other names of the event");
        for (const Token& token : line.arguments) {
            if (!token.isWord()) return expected(&token, line.equals, "another name of the event");
            if (!checkName(token, problems_) || !isNew(otherNames_, token)) continue;
            if (token.text == line.name.text)
                wrong(token, inQuotes(token.text) + " is another name of itself");
            else
                spec_.otherNames[std::string(line.name.text)].emplace_back(token.text);
        }
    }

    /// `scope SCOPE = EVENT …`
    void scope(const Assignment& line) {
        const auto* const found = std::ranges::find(kScopeNames, line.name.text);
        if (found == std::end(kScopeNames))
            return expected(&line.name, line.keyword,
                            "thread, core, socket or node" +
                                didYouMean(line.name.text, {"thread", "core", "socket", "node"}));
        if (line.arguments.empty()) return expected(nullptr, line.equals, "the names of events");
        for (const Token& token : line.arguments) {
            if (!token.isWord()) return expected(&token, line.equals, "the name of an event");
            if (checkName(token, problems_) && isNew(scoped_, token))
                spec_.scopes.emplace(token.text, static_cast<Scope>(found - std::begin(kScopeNames)));
        }
    }

    // What is said about metrics

    /// `finding NAME = CONDITION and CONDITION … [mostly METRIC [besides CHILD …]] [costs METRIC]`
    void finding(const Assignment& line) {
        if (!isNew(origins_.findingNames, line.name)) return;
        const auto [said, costs] = splitAt(line.arguments, "costs");
        auto [rest, mostly] = splitAt(said, "mostly");
        Finding finding;
        finding.name = line.name.text;
        finding.at = positionOf(line.name);
        if (!costs.empty() && !oneName(costs, "the name of one metric of time", finding.costs)) return;
        if (!mostly.empty() && !mostlyOf(mostly, finding)) return;
        const Token* before = &line.equals;
        while (true) {
            const auto [condition, others] = splitAt(rest, "and");
            auto parsed = comparison(condition, *before);
            if (!parsed) return;
            finding.conditions.push_back(std::move(*parsed));
            if (others.empty()) break;
            before = others.data();
            rest = others.subspan(1);
        }
        spec_.findings.push_back(std::move(finding));
        origins_.findings.push_back(statement_);
    }

    /// `mostly METRIC [besides CHILD …]`
    bool mostlyOf(Arguments clause, Finding& finding) {
        const auto [metric, children] = splitAt(clause, "besides");
        if (!oneName(metric, "the name of one composed metric", finding.mostly)) return false;
        if (children.size() == 1) expected(nullptr, children[0], "names of its terms");
        for (std::size_t i = 1; i < children.size(); ++i) finding.besides.emplace_back(children[i].text);
        return children.size() != 1;
    }

    /// The name behind a word such as `mostly`.
    bool oneName(Arguments clause, const std::string& what, std::string& name) {
        const Token* unfit = clause.size() < 2     ? nullptr
                             : !clause[1].isWord() ? &clause[1]
                             : clause.size() > 2   ? &clause[2]
                                                   : clause.data();
        if (unfit != clause.data()) {
            expected(unfit, clause[0], what);
            return false;
        }
        name = clause[1].text;
        return true;
    }

    std::optional<Comparison> comparison(Arguments tokens, const Token& before) {
        const auto sign =
            std::ranges::find_if(tokens, [](const Token& token) { return relationOf(token).has_value(); });
        if (sign == tokens.end()) {
            expected(nullptr, tokens.empty() ? before : tokens.back(), "'<', '<=', '>' or '>=' and a limit");
            return std::nullopt;
        }
        const auto count = static_cast<std::size_t>(sign - tokens.begin());
        auto left = parseExpression(tokens.first(count), before, problems_);
        auto right = parseValue(tokens.subspan(count + 1), *sign, problems_);
        if (!left || !right) return std::nullopt;
        return Comparison{std::move(*left), *relationOf(*sign), std::move(*right)};
    }

    void unit(const Assignment& line) {
        if (!isNew(origins_.units, line.name)) return;
        if (line.arguments.empty()) return expected(nullptr, line.equals, "the unit");
        std::string text;
        for (const Token& token : line.arguments) text += (text.empty() ? "" : " ") + std::string(token.text);
        spec_.units.emplace(line.name.text, std::move(text));
    }

    void describe(const Token& name, Arguments arguments) {
        if (!isNew(origins_.descriptions, name)) return;
        if (auto texts = textsOf(name, arguments, "the description in double quotes", problems_))
            spec_.descriptions.emplace(name.text, std::move(*texts));
    }

    /// `trust EVENT "TEXT" …`
    void trust(const Token& name, Arguments arguments) {
        if (!isNew(origins_.trust, name)) return;
        const auto texts =
            textsOf(name, arguments, "what is known of the event, in double quotes", problems_);
        if (!texts) return;
        std::string joined;
        for (const std::string& text : *texts) joined += (joined.empty() ? "" : " ") + text;
        spec_.trust.emplace(name.text, std::move(joined));
    }

    // Names

    bool isNew(Origins::Names& seen, const Token& name) {
        const auto [first, inserted] = seen.emplace(name.text, positionOf(name));
        if (!inserted) wrong(name, inQuotes(name.text) + " is defined already in " + placeOf(first->second));
        return inserted;
    }

    /// The first definition of a name stands alone, further ones have `alternative` in front.
    bool isNewFormula(const Token& name) {
        if (!alternative_) {
            if (!origins_.defined.contains(name.text)) return isNew(origins_.defined, name);
            wrong(name, inQuotes(name.text) + " is defined already in " +
                            placeOf(origins_.defined.find(name.text)->second) +
                            "; put 'alternative' in front to try this one when that cannot be satisfied");
            return false;
        }
        if (origins_.defined.contains(name.text)) return true;
        std::vector<std::string> known;
        for (const auto& each : origins_.defined) known.emplace_back(each.first);
        wrong(name, inQuotes(name.text) +
                        " is not defined before: the first definition has no 'alternative'" +
                        didYouMean(name.text, known));
        return false;
    }

    std::string placeOf(const Position& position) const {
        return (position.file == statement_->file ? "" : position.file + ", ") + "line " +
               std::to_string(position.line);
    }

    Position positionOf(const Token& token) const {
        return {std::string(statement_->file), token.line, token.column};
    }

    void wrong(const Token& token, const std::string& message) {
        problems_.add(token.line, token.column, token.text, message);
    }
    void expected(const Token* token, const Token& last, const std::string& what) {
        reportExpected(token, last, what, problems_);
    }

    Specification& spec_;
    Problems& problems_;
    Origins origins_;
    const Statement* statement_ = nullptr;
    bool alternative_ = false;
    Origins::Names sets_;
    Origins::Names otherNames_;
    Origins::Names scoped_;
    std::set<std::pair<std::string_view, std::string_view>> aliased_;
};

}  // namespace

Specification parse(std::string text, const std::string& filename, IncludeReader reader) {
    Problems problems;
    const Sources sources = gather(std::move(text), filename, reader, problems);
    Specification specification;
    specification.file = filename;
    specification.text =
        sources.files.size() == 1 ? sources.files.front().text : statementsText(sources.statements);
    const Origins origins = Parser(specification, problems).run(sources.statements);
    check(specification, origins, problems);
    problems.throwIfAny();
    return specification;
}

}  // namespace holos::specs
