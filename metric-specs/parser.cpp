// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <unordered_map>

#include "metric-specs/expression_parser.h"
#include "metric-specs/lexer.h"
#include "metric-specs/specification.h"
#include "metric-specs/suggest.h"
#include "metric-specs/term_graph.h"

namespace holos::specs {
namespace {

/// Names shown of a cycle.
constexpr std::size_t kLongestChain = 10;

class Parser {
  public:
    Parser(Specification& specification, Problems& problems) : spec_(specification), problems_(problems) {}

    void run() {
        for (const Tokens& tokens : tokenize(spec_.text, problems_)) definition(tokens);
        checkAnnotations();
    }

  private:
    using Arguments = std::span<const Token>;

    void definition(const Tokens& tokens) {
        const Token& keyword = tokens[0];
        if (!keyword.isWord() || !isKeyword(keyword.text)) return unknownKeyword(keyword);
        if (tokens.size() < 2 || !tokens[1].isWord()) {
            const Token* found = tokens.size() < 2 ? nullptr : &tokens[1];
            return reportExpected(found, keyword, "the name to define", problems_);
        }
        if (!checkName(tokens[1], problems_)) return;
        const Arguments arguments(tokens.begin() + 2, tokens.end());
        if (keyword.text == "describe") return describe(tokens[1], arguments);
        if (arguments.empty() || !arguments[0].is('=')) {
            const Token* found = arguments.empty() ? nullptr : arguments.data();
            return reportExpected(found, tokens[1], "'='", problems_);
        }
        assignment(keyword, tokens[1], arguments[0], arguments.subspan(1));
    }

    void assignment(const Token& keyword, const Token& name, const Token& equals, Arguments arguments) {
        if (keyword.text == "measure") return measure(name, equals, arguments);
        if (keyword.text == "aggroup") return aggroup(name, equals, arguments);
        if (keyword.text == "unit") return unit(name, equals, arguments);
        if (!isNew(defined_, name)) return;
        const bool adds = keyword.text == "compose";
        auto formula =
            adds ? parseSum(arguments, equals, problems_) : parseExpression(arguments, equals, problems_);
        if (!formula) return;
        const auto kind = adds ? Definition::Kind::Compose : Definition::Kind::Compute;
        spec_.definitions.push_back({kind, std::string(name.text), std::move(*formula), name.line});
    }

    void unknownKeyword(const Token& token) {
        std::string expected;
        for (const std::string_view keyword : kKeywords)
            expected += (expected.empty() ? "" : ", ") + std::string(keyword);
        const std::vector<std::string> keywords(std::begin(kKeywords), std::end(kKeywords));
        problems_.add(token.line, token.column, token.text,
                      "found " + inQuotes(token.text) + " where a definition begins, expected one of " +
                          expected + didYouMean(token.text, keywords));
    }

    void measure(const Token& name, const Token& equals, Arguments arguments) {
        if (arguments.empty() || !arguments[0].isWord()) {
            const Token* found = arguments.empty() ? nullptr : arguments.data();
            return reportExpected(found, equals, "the name of an event", problems_);
        }
        if (arguments.size() > 1)
            return reportExpected(&arguments[1], arguments[0], "the end of the line behind the event",
                                  problems_);
        if (!checkName(arguments[0], problems_)) return;
        if (arguments[0].text == name.text)
            return problems_.add(name.line, name.column, name.text,
                                 inQuotes(name.text) + " is measured as itself");
        if (!aliased_.emplace(name.text, arguments[0].text).second)
            return problems_.add(name.line, name.column, name.text, "the same measurement is defined twice");
        spec_.aliases.push_back({std::string(name.text), std::string(arguments[0].text), name.line});
    }

    void aggroup(const Token& name, const Token& equals, Arguments arguments) {
        if (!isNew(sets_, name)) return;
        if (arguments.empty()) return reportExpected(nullptr, equals, "the events of the set", problems_);
        MeasurementSet set{std::string(name.text), {}, name.line};
        std::set<std::string_view> members;
        for (const Token& token : arguments) {
            if (!token.isWord()) return reportExpected(&token, equals, "the name of an event", problems_);
            if (!checkName(token, problems_)) return;
            if (!members.insert(token.text).second)
                return problems_.add(token.line, token.column, token.text,
                                     inQuotes(token.text) + " is in the set twice");
            set.events.emplace_back(token.text);
        }
        spec_.sets.push_back(std::move(set));
    }

    void unit(const Token& name, const Token& equals, Arguments arguments) {
        if (!isNew(units_, name)) return;
        if (arguments.empty()) return reportExpected(nullptr, equals, "the unit", problems_);
        std::string text;
        for (const Token& token : arguments) text += (text.empty() ? "" : " ") + std::string(token.text);
        spec_.units.emplace(name.text, std::move(text));
    }

    void describe(const Token& name, Arguments arguments) {
        if (!isNew(descriptions_, name)) return;
        if (arguments.empty())
            return reportExpected(nullptr, name, "the description in double quotes", problems_);
        std::string text;
        for (const Token& token : arguments) {
            if (token.kind != Token::Kind::Text)
                return reportExpected(&token, name, "the description in double quotes", problems_);
            text += (text.empty() ? "" : " ") + std::string(token.text);
        }
        spec_.descriptions.emplace(name.text, std::move(text));
    }

    using Seen = std::unordered_map<std::string_view, const Token>;

    bool isNew(Seen& seen, const Token& name) {
        const auto [first, inserted] = seen.emplace(name.text, name);
        if (!inserted)
            problems_.add(
                name.line, name.column, name.text,
                inQuotes(name.text) + " is defined already in line " + std::to_string(first->second.line));
        return inserted;
    }

    /// A unit or description must belong to something that the file mentions.
    void checkAnnotations() {
        std::vector<std::string> known = spec_.events();
        for (const auto& alias : spec_.aliases) known.push_back(alias.name);
        for (const auto& each : spec_.definitions) known.push_back(each.name);
        for (const auto& set : spec_.sets) known.push_back(set.name);
        for (const auto& [name, token] : defined_) known.emplace_back(name);
        const std::set<std::string_view> names(known.begin(), known.end());
        for (const Seen* annotations : {&units_, &descriptions_})
            for (const auto& [name, token] : *annotations)
                if (!names.contains(name))
                    problems_.add(token.line, token.column, name,
                                  inQuotes(name) + " is no metric, event or set of this file" +
                                      didYouMean(name, known));
    }

    Specification& spec_;
    Problems& problems_;
    Seen defined_;
    Seen sets_;
    Seen units_;
    Seen descriptions_;
    std::set<std::pair<std::string_view, std::string_view>> aliased_;
};

void checkCycles(const Specification& specification, Problems& problems) {
    std::unordered_map<std::string_view, std::uint64_t> lines;
    for (const auto& alias : specification.aliases) lines.emplace(alias.name, alias.line);
    for (const auto& definition : specification.definitions)
        lines.insert_or_assign(definition.name, definition.line);
    for (const std::vector<std::string>& cycle : TermGraph(specification).cycles()) {
        std::string chain;
        for (std::size_t i = 0; i < std::min(cycle.size(), kLongestChain); ++i) chain += cycle[i] + " → ";
        if (cycle.size() > kLongestChain) chain += "… → ";
        problems.add(lines.at(cycle.front()), 1, cycle.front(),
                     inQuotes(cycle.front()) + " is made of itself: " + chain + cycle.front());
    }
}

}  // namespace

Specification parse(std::string text, const std::string& filename) {
    Specification specification;
    specification.file = filename;
    specification.text = std::move(text);
    Problems problems;
    Parser(specification, problems).run();
    checkCycles(specification, problems);
    problems.throwIfAny(filename);
    return specification;
}

}  // namespace holos::specs
