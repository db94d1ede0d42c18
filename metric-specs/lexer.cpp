// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/lexer.h"

#include <algorithm>
#include <iterator>

namespace holos::specs {
namespace {

bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}
bool isOperator(char c) {
    return std::string_view("+-*/()=").find(c) != std::string_view::npos;
}
bool isControl(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

/// The tokens of one line of the file.
class LineLexer {
  public:
    LineLexer(std::string_view line, std::uint64_t number, Problems& problems)
        : line_(line), number_(number), problems_(problems) {}

    /// `assigned`: the definition that this line may continue has had its `=`.
    Tokens run(bool assigned) {
        assigned_ = assigned;
        while (at_ < line_.size() && line_[at_] != '#') next();
        return std::move(tokens_);
    }

  private:
    void next() {
        const char c = line_[at_];
        if (isBlank(c)) {
            ++at_;
        } else if (isControl(c)) {
            problems_.add(number_, at_ + 1, line_.substr(at_, 1),
                          "unexpected byte " + inQuotes(line_.substr(at_, 1)));
            ++at_;
        } else if (c == '"') {
            text();
        } else if (isOperator(c)) {
            assigned_ = assigned_ || c == '=';
            push(Token::Kind::Operator, at_, at_ + 1);
            ++at_;
        } else {
            word();
        }
    }

    void text() {
        const std::size_t end = line_.find('"', at_ + 1);
        if (end == std::string_view::npos) {
            problems_.add(number_, at_ + 1, line_.substr(at_), "the text has no closing '\"' on its line");
            push(Token::Kind::Text, at_ + 1, line_.size());
            at_ = line_.size();
            return;
        }
        push(Token::Kind::Text, at_ + 1, end);
        at_ = end + 1;
    }

    void word() {
        const std::size_t begin = at_;
        while (at_ < line_.size() && goesOn(line_[at_])) ++at_;
        if (tokens_.empty() && isKeyword(line_.substr(begin, at_ - begin))) assigned_ = false;
        push(Token::Kind::Word, begin, at_);
    }

    bool goesOn(char c) const {
        if (isBlank(c) || isControl(c) || c == '#' || c == '"') return false;
        return !isOperator(c) || c == '-' || c == '/' || (c == '=' && assigned_);
    }

    void push(Token::Kind kind, std::size_t begin, std::size_t end) {
        tokens_.push_back({kind, line_.substr(begin, end - begin), number_, begin + 1});
    }

    std::string_view line_;
    std::uint64_t number_;
    Problems& problems_;
    std::size_t at_ = 0;
    bool assigned_ = false;
    Tokens tokens_;
};

/// A keyword, unless it is the name of an event in the middle of a formula.
bool beginsDefinition(const Tokens& line) {
    if (!line[0].isWord() || !isKeyword(line[0].text)) return false;
    return line.size() == 1 || line[1].kind != Token::Kind::Operator || line[1].is('=');
}

bool continues(const Tokens& before, const Tokens& line) {
    if (before.empty() || beginsDefinition(line)) return false;
    const bool open = before.back().kind == Token::Kind::Operator && !before.back().is(')');
    return open || !line.front().isWord();
}

bool hasAssignment(const Tokens& tokens) {
    return std::any_of(tokens.begin(), tokens.end(), [](const Token& token) { return token.is('='); });
}

}  // namespace

bool isKeyword(std::string_view word) {
    return std::find(std::begin(kKeywords), std::end(kKeywords), word) != std::end(kKeywords);
}

std::vector<Tokens> tokenize(std::string_view source, Problems& problems) {
    std::vector<Tokens> definitions;
    bool assigned = false;
    std::uint64_t number = 0;
    while (!source.empty()) {
        const std::size_t end = std::min(source.find('\n'), source.size());
        const std::string_view line = source.substr(0, end);
        source.remove_prefix(std::min(end + 1, source.size()));
        ++number;

        Tokens tokens = LineLexer(line, number, problems).run(assigned);
        if (tokens.empty()) continue;
        if (!definitions.empty() && continues(definitions.back(), tokens)) {
            assigned = assigned || hasAssignment(tokens);
            std::move(tokens.begin(), tokens.end(), std::back_inserter(definitions.back()));
        } else {
            assigned = hasAssignment(tokens);
            definitions.push_back(std::move(tokens));
        }
    }
    return definitions;
}

}  // namespace holos::specs
