// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/sources.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "metric-specs/expression_parser.h"

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

std::string textOf(const std::vector<Statement>& statements) {
    std::string text;
    for (const Statement& statement : statements) {
        text += statement.text;
        if (!text.empty() && text.back() != '\n') text += '\n';
    }
    return text;
}

}  // namespace holos::specs
