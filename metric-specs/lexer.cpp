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
    return std::string_view("+-*/()=<>").find(c) != std::string_view::npos;
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
            const bool relation = (c == '<' || c == '>') && line_.substr(at_ + 1, 1) == "=";
            push(Token::Kind::Operator, at_, at_ + (relation ? 2 : 1));
            at_ += tokens_.back().text.size();
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

/// Takes the backslash off the end of a line that goes on.
bool dropContinuation(Tokens& line) {
    if (line.empty() || !line.back().isWord("\\")) return false;
    line.pop_back();
    return true;
}

bool hasAssignment(const Tokens& tokens) {
    return std::ranges::any_of(tokens, [](const Token& token) { return token.is('='); });
}

}  // namespace

bool isKeyword(std::string_view word) {
    return std::ranges::find(kKeywords, word) != std::end(kKeywords);
}

std::vector<Statement> tokenize(std::string_view source, Problems& problems) {
    std::vector<Statement> statements;
    std::size_t begin = 0;  // of what no statement has yet
    bool assigned = false;
    bool goesOn = false;
    std::uint64_t number = 0;
    for (std::size_t at = 0; at < source.size();) {
        const std::size_t end = std::min(source.find('\n', at), source.size());
        const std::string_view line = source.substr(at, end - at);
        at = end + 1;

        Tokens tokens = LineLexer(line, ++number, problems).run(assigned);
        const bool backslash = dropContinuation(tokens);
        if (tokens.empty()) continue;
        const bool more = !statements.empty() && (goesOn || continues(statements.back().tokens, tokens));
        assigned = (more && assigned) || hasAssignment(tokens);
        if (!more) statements.push_back({{}, source.substr(begin, 0)});
        Statement& statement = statements.back();
        std::move(tokens.begin(), tokens.end(), std::back_inserter(statement.tokens));
        const auto from = static_cast<std::size_t>(statement.text.data() - source.data());
        begin = std::min(at, source.size());
        statement.text = source.substr(from, begin - from);
        goesOn = backslash;
    }
    return statements;
}

}  // namespace holos::specs
