// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/checks.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>

#include "base/suggest.h"
#include "metric-specs/expression_parser.h"
#include "metric-specs/hierarchy.h"
#include "metric-specs/trace_metrics.h"

namespace holos::specs {
namespace {

constexpr std::size_t kDeepestInclusion = 16;
constexpr std::size_t kMostFiles = 64;
constexpr std::size_t kMostText = std::size_t{16} << 20;  // several times the shipped files together

/// What a statement is about, for finding what it replaces: a kind and a name, empty for none.
using Subject = std::pair<std::string_view, std::string_view>;

Subject subjectOf(const Statement& statement) {
    const Tokens& tokens = statement.tokens;
    const std::string_view keyword = tokens[0].text;
    if (keyword == "platform" || keyword == "registers" || keyword == "scope") return {keyword, {}};
    if (keyword == "alternative" || keyword == "include" || tokens.size() < 2) return {};
    const bool formula =
        keyword == "compose" || keyword == "compute" || keyword == "ratio" || keyword == "seconds";
    return {formula ? "formula" : keyword, tokens[1].text};
}

/// An alternative is dropped with the definition that it belongs to.
Subject replacedWith(const Statement& statement) {
    const Tokens& tokens = statement.tokens;
    if (tokens[0].text == "alternative" && tokens.size() > 2) return {"formula", tokens[2].text};
    return subjectOf(statement);
}

class Gatherer {
  public:
    Gatherer(IncludeReader reader, Problems& problems) : reader_(reader), problems_(problems) {}

    std::vector<Statement> file(SourceText source) {
        const SourceText& kept = sources_.files.emplace_back(std::move(source));
        open_.push_back(kept.file);
        problems_.enter(kept.file);
        std::vector<Statement> own = tokenize(kept.text, problems_);
        std::set<Subject> subjects;
        for (Statement& statement : own) {
            statement.file = kept.file;
            subjects.insert(subjectOf(statement));
        }
        subjects.erase(Subject{});
        std::vector<Statement> all;
        for (Statement& statement : own) {
            if (!statement.tokens[0].isWord("include")) {
                all.push_back(std::move(statement));
                continue;
            }
            std::vector<Statement> included = include(statement);
            std::erase_if(included, [&subjects](const Statement& each) {
                return subjects.contains(replacedWith(each));
            });
            std::move(included.begin(), included.end(), std::back_inserter(all));
            problems_.enter(kept.file);
        }
        open_.pop_back();
        return all;
    }

    Sources take() { return std::move(sources_); }

  private:
    std::vector<Statement> include(const Statement& statement) {
        const Tokens& tokens = statement.tokens;
        if (tokens.size() < 2 || tokens[1].kind == Token::Kind::Operator) {
            reportExpected(tokens.size() < 2 ? nullptr : &tokens[1], tokens[0],
                           "the name or the path of the file to include", problems_);
            return {};
        }
        if (tokens.size() > 2) {
            reportExpected(&tokens[2], tokens[1], "the end of the line after the file", problems_);
            return {};
        }
        const auto found = read(tokens[1], std::string(statement.file));
        return found ? file(*found) : std::vector<Statement>();
    }

    std::optional<SourceText> read(const Token& name, const std::string& from) {
        const auto refuse = [&](const std::string& why) {
            problems_.add(name.line, name.column, name.text, why);
            return std::nullopt;
        };
        if (reader_ == nullptr) return refuse("nothing can be included here: the text is not a file");
        if (open_.size() >= kDeepestInclusion || sources_.files.size() >= kMostFiles)
            return refuse("too many files are included");
        try {
            SourceText found = reader_(std::string(name.text), from);
            if (found.text.size() > kMostText - included_) return refuse("too much text is included");
            included_ += found.text.size();
            const auto before = std::ranges::find(open_, found.file);
            if (before == open_.end()) return found;
            std::string chain;
            for (auto at = before; at != open_.end(); ++at) chain += *at + " → ";
            return refuse(inQuotes(name.text) + " includes itself: " + chain + found.file);
        } catch (const Error& error) {
            return refuse("cannot include " + inQuotes(name.text) + ": " + error.message());
        }
    }

    IncludeReader reader_;
    Problems& problems_;
    Sources sources_;
    std::size_t included_ = 0;       ///< bytes
    std::vector<std::string> open_;  ///< the files that include each other just now
};

bool isAnnotation(const Statement& statement) {
    const Token& keyword = statement.tokens[0];
    return keyword.isWord("unit") || keyword.isWord("describe") || keyword.isWord("trust");
}

/// A shared vocabulary has units and descriptions of more names than any one file uses.
void dropUnusedVocabulary(std::vector<Statement>& statements, std::string_view mainFile) {
    std::set<std::string_view> used;
    for (const Statement& statement : statements)
        if (!isAnnotation(statement))
            for (const Token& token : statement.tokens) used.insert(token.text);
    std::erase_if(statements, [&](const Statement& each) {
        return each.file != mainFile && isAnnotation(each) && each.tokens.size() > 1 &&
               !used.contains(each.tokens[1].text);
    });
}

}  // namespace

Sources gather(std::string text, const std::string& filename, IncludeReader reader, Problems& problems) {
    Gatherer gatherer(reader, problems);
    std::vector<Statement> statements = gatherer.file({filename, std::move(text)});
    dropUnusedVocabulary(statements, filename);
    Sources sources = gatherer.take();
    sources.statements = std::move(statements);
    return sources;
}

std::string statementsText(const std::vector<Statement>& statements) {
    std::string text;
    for (const Statement& statement : statements) {
        text += statement.text;
        if (!text.empty() && text.back() != '\n') text += '\n';
    }
    return text;
}

namespace {

/// Names shown of a cycle.
constexpr std::size_t kLongestChain = 10;

class Checker {
  public:
    Checker(const Specification& specification, const Origins& origins, Problems& problems)
        : spec_(specification), origins_(origins), problems_(problems) {
        for (const Definition& each : spec_.definitions) metrics_.insert(each.name);
        for (const Alias& each : spec_.aliases) metrics_.insert(each.name);
        for (const auto& [name, position] : origins_.defined) metrics_.insert(name);
        for (const Definition& each : spec_.definitions)
            if (each.kind == Definition::Kind::Ratio) ratios_.insert(each.name);
        for (const std::string_view name : kTraceMetrics) counted_.insert(name);
        collectEvents();
    }

    void run() {
        cycles();
        parents();
        for (std::size_t i = 0; i < spec_.definitions.size(); ++i) terms(i);
        for (std::size_t i = 0; i < spec_.findings.size(); ++i) finding(i);
        for (const MeasurementSet& set : spec_.sets)
            if (const auto why = whyNotTogether(spec_.registers, set.events))
                add(set.at, set.name, "the set " + inQuotes(set.name) + " cannot be counted: " + *why);
        annotations();
    }

  private:
    void add(const Position& at, std::string_view text, const std::string& message) {
        problems_.enter(at.file);
        problems_.add(at.line, at.column, text, message);
    }

    /// At the place of a word in its statement.
    void add(const Statement& statement, std::string_view word, const std::string& message) {
        const auto found = std::find_if(statement.tokens.rbegin(), statement.tokens.rend(),
                                        [word](const Token& token) { return token.isWord(word); });
        const Token& token = found == statement.tokens.rend() ? statement.tokens[0] : *found;
        problems_.enter(statement.file);
        problems_.add(token.line, token.column, word, message);
    }

    void collectEvents() {
        for (const Alias& each : spec_.aliases) counted_.insert(each.event);
        for (const MeasurementSet& set : spec_.sets) counted_.insert(set.events.begin(), set.events.end());
        for (const auto& each : spec_.registers.allowed) counted_.insert(each.first);
        for (const auto& each : spec_.registers.bankOf) counted_.insert(each.first);
        for (const auto& each : spec_.scopes) counted_.insert(each.first);
        counted_.insert(spec_.registers.fixed.begin(), spec_.registers.fixed.end());
        for (const auto& [name, others] : spec_.otherNames) {
            counted_.insert(name);
            counted_.insert(others.begin(), others.end());
        }
    }

    void cycles() {
        std::unordered_map<std::string_view, const Position*> places;
        for (const Alias& each : spec_.aliases) places.emplace(each.name, &each.at);
        for (const Definition& each : spec_.definitions) places.insert_or_assign(each.name, &each.at);
        for (const std::vector<std::string>& cycle : TermGraph(spec_).cycles()) {
            std::string chain;
            for (std::size_t i = 0; i < std::min(cycle.size(), kLongestChain); ++i) chain += cycle[i] + " → ";
            if (cycle.size() > kLongestChain) chain += "… → ";
            Position at = *places.at(cycle.front());
            at.column = 1;
            add(at, cycle.front(), inQuotes(cycle.front()) + " is made of itself: " + chain + cycle.front());
        }
    }

    /// Of first definitions only: which alternative counts is known with the measurements.
    void parents() {
        std::set<std::string_view> seen;
        for (std::size_t i = 0; i < spec_.definitions.size(); ++i) {
            const Definition& each = spec_.definitions[i];
            if (!seen.insert(each.name).second || each.kind != Definition::Kind::Compose) continue;
            for (const std::string& term : each.formula.terms) parentsOf_[term].push_back(i);
        }
        for (const auto& [term, compositions] : parentsOf_) {
            if (compositions.size() < 2) continue;
            const Definition& first = spec_.definitions[compositions[0]];
            const Definition& second = spec_.definitions[compositions[1]];
            const Statement& place = *origins_.definitions[compositions[1]];
            const std::string both = inQuotes(first.name) + " (line " + std::to_string(first.at.line) +
                                     ") and " + inQuotes(second.name);
            if (metrics_.contains(term))
                add(place, term,
                    inQuotes(term) + " is composed into two parents, " + both +
                        "; a metric has one place, but its events may stand in several");
            else if (rootOf(first.name) == rootOf(second.name))
                add(place, term,
                    inQuotes(term) + " counts twice in " + inQuotes(rootOf(first.name)) +
                        ": it is a term of " + both);
        }
    }

    std::string_view rootOf(std::string_view name) const {
        for (std::size_t steps = 0; steps < spec_.definitions.size(); ++steps) {  // cycles end, too
            const auto parents = parentsOf_.find(name);
            if (parents == parentsOf_.end()) break;
            name = spec_.definitions[parents->second.front()].name;
        }
        return name;
    }

    void terms(std::size_t index) {
        const Definition& each = spec_.definitions[index];
        const Statement& statement = *origins_.definitions[index];
        for (const std::string& term : each.terms()) {
            if (ratios_.contains(term))
                add(statement, term,
                    inQuotes(term) + " is a ratio, and ratios are no terms: they do not add up");
            else if (each.kind != Definition::Kind::Compose)
                mustBeKnown(statement, term);
        }
    }

    /// Files without sets leave open what can be counted.
    void mustBeKnown(const Statement& statement, const std::string& term) {
        if (spec_.sets.empty() || metrics_.contains(term) || counted_.contains(term)) return;
        add(statement, term,
            inQuotes(term) + " is no metric of this file and no event that it counts anywhere" +
                didYouMean(term, known()));
    }

    void finding(std::size_t index) {
        const Finding& each = spec_.findings[index];
        const Statement& statement = *origins_.findings[index];
        for (const Comparison& condition : each.conditions)
            for (const Formula* side : {&condition.left, &condition.right})
                for (const std::string& term : side->terms)
                    if (term != kBandwidthShare) mustBeKnown(statement, term);
        if (!each.mostly.empty() && !isComposed(each.mostly))
            add(statement, each.mostly,
                inQuotes(each.mostly) + " is no composed metric of this file" +
                    didYouMean(each.mostly, known()));
        for (const std::string& child : each.besides)
            if (!isTermOf(child, each.mostly))
                add(statement, child, inQuotes(child) + " is no term of " + inQuotes(each.mostly));
        if (!each.costs.empty() && !isTime(each.costs))
            add(statement, each.costs,
                inQuotes(each.costs) + " is no metric of this file with the unit 'sec'" +
                    didYouMean(each.costs, known()));
        if (!spec_.descriptions.contains(each.name) && !origins_.descriptions.contains(each.name))
            add(each.at, each.name,
                "the finding " + inQuotes(each.name) + " has no explanation; expected describe " + each.name +
                    " \"title\" \"text\"");
    }

    bool isComposed(std::string_view name) const {
        return std::ranges::any_of(spec_.definitions, [name](const Definition& each) {
            return each.name == name && each.kind == Definition::Kind::Compose;
        });
    }

    bool isTime(std::string_view name) const {
        const auto unit = spec_.units.find(name);
        return (unit != spec_.units.end() && unit->second == "sec") ||
               std::ranges::any_of(spec_.definitions, [name](const Definition& each) {
                   return each.name == name && each.kind == Definition::Kind::Seconds;
               });
    }

    bool isTermOf(std::string_view term, std::string_view composition) const {
        return std::ranges::any_of(spec_.definitions, [&](const Definition& each) {
            const auto& terms = each.formula.terms;
            return each.name == composition && each.kind == Definition::Kind::Compose &&
                   std::ranges::find(terms, term) != terms.end();
        });
    }

    /// A unit or description must belong to something that the file mentions.
    void annotations() {
        const std::vector<std::string> all = known();
        const std::set<std::string_view> names(all.begin(), all.end());
        for (const Origins::Names* annotations : {&origins_.units, &origins_.descriptions, &origins_.trust})
            for (const auto& [name, position] : *annotations)
                if (!names.contains(name))
                    add(position, name,
                        inQuotes(name) + " is no metric, event, set or finding of this file" +
                            didYouMean(name, all));
    }

    std::vector<std::string> known() const {
        std::vector<std::string> names = spec_.events();
        names.insert(names.end(), metrics_.begin(), metrics_.end());
        names.insert(names.end(), counted_.begin(), counted_.end());
        for (const MeasurementSet& set : spec_.sets) names.push_back(set.name);
        for (const auto& each : origins_.findingNames) names.emplace_back(each.first);
        for (const RegisterBank& bank : spec_.registers.banks) names.push_back(bank.name);
        if (spec_.platform) names.push_back(spec_.platform->name);
        return names;
    }

    const Specification& spec_;
    const Origins& origins_;
    Problems& problems_;
    std::set<std::string_view> metrics_;
    std::set<std::string_view> ratios_;
    std::set<std::string_view> counted_;
    /// By term: the compositions that have it, as indices of definitions.
    std::map<std::string_view, std::vector<std::size_t>> parentsOf_;
};

}  // namespace

void check(const Specification& specification, const Origins& origins, Problems& problems) {
    Checker(specification, origins, problems).run();
}

}  // namespace holos::specs
