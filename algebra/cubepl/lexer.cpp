// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/cubepl/lexer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "base/error.h"
#include "base/text.h"

namespace holos::algebra::cubepl {
namespace {

constexpr std::array<std::string_view, 25> kSymbols{"::", ":", "==", "!=", ">=", "<=", "=~", "+", "-",
                                                    "*",  "/", "^",  "(",  ")",  "|",  ">",  "<", "=",
                                                    "{",  "}", "[",  "]",  ";",  ",",  "#"};

bool isNameStart(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

class Lexer {
  public:
    explicit Lexer(std::string_view text) : text_(text) {}

    std::vector<Token> run() {
        std::vector<Token> tokens;
        do {
            tokens.push_back(next());
            behindMatch_ = tokens.back().kind == Token::Kind::Symbol && tokens.back().text == "=~";
        } while (tokens.back().kind != Token::Kind::End);
        return tokens;
    }

  private:
    Token next() {
        skipBlanks();
        const std::size_t begin = at_;
        if (at_ >= text_.size()) return {Token::Kind::End, {}, 0.0, begin};
        const std::string_view rest = text_.substr(at_);
        if (isDigit(rest.front()) || rest.front() == '.') return number(rest);
        if (isNameStart(rest.front())) {
            const auto end =
                std::ranges::find_if_not(rest, [](char c) { return isNameStart(c) || isDigit(c); });
            return take(Token::Kind::Name, rest.substr(0, static_cast<std::size_t>(end - rest.begin())), 0);
        }
        if (rest.starts_with("${")) return take(Token::Kind::Variable, upTo(rest, 2, "}"), 3);
        if (rest.front() == '"') return delimited(Token::Kind::String, rest);
        if (rest.front() == '/' && behindMatch_) return delimited(Token::Kind::Pattern, rest);
        if (rest.starts_with("<<")) return take(Token::Kind::Body, upTo(rest, 2, ">>"), 4);
        for (const std::string_view symbol : kSymbols)
            if (rest.starts_with(symbol)) return take(Token::Kind::Symbol, symbol, 0);
        fail("unexpected character '" + std::string(1, rest.front()) + "'");
    }

    void skipBlanks() {
        while (at_ < text_.size()) {
            if (text_.substr(at_).starts_with("//"))
                at_ = std::min(text_.find('\n', at_), text_.size());
            else if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
                ++at_;
            else
                break;
        }
    }

    /// Digits and dots; CubePL has no exponents.
    Token number(std::string_view rest) {
        const auto end = std::ranges::find_if_not(rest, [](char c) { return isDigit(c) || c == '.'; });
        Token token =
            take(Token::Kind::Number, rest.substr(0, static_cast<std::size_t>(end - rest.begin())), 0);
        const char* const stop = token.text.data() + token.text.size();
        if (std::from_chars(token.text.data(), stop, token.number, std::chars_format::fixed).ptr != stop)
            fail("\"" + token.text + "\" is not a number");
        return token;
    }

    std::string_view upTo(std::string_view rest, std::size_t begin, std::string_view end) const {
        const auto found = rest.find(end, begin);
        if (found == rest.npos) fail('"' + std::string(end) + "\" is missing");
        return rest.substr(begin, found - begin);
    }

    /// A text up to the character it begins with. In strings a backslash stands before `"`, `n` and `t`; in
    /// patterns before `/`, and everything else belongs to the regular expression.
    Token delimited(Token::Kind kind, std::string_view rest) {
        const char end = rest.front();
        Token token{kind, {}, 0.0, at_};
        std::size_t at = 1;
        for (; at < rest.size() && rest[at] != end; ++at) {
            if (rest[at] != '\\' || at + 1 == rest.size()) {
                token.text += rest[at];
                continue;
            }
            const char escaped = rest[++at];
            if (kind == Token::Kind::Pattern)
                token.text += escaped == end ? std::string(1, end) : std::string{'\\', escaped};
            else
                token.text += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped;
        }
        if (at >= rest.size()) fail(std::string("\"") + end + "\" is missing");
        at_ += at + 1;
        return token;
    }

    Token take(Token::Kind kind, std::string_view text, std::size_t frame) {
        const std::size_t begin = at_;
        at_ += text.size() + frame;
        return {kind, std::string(text), 0.0, begin};
    }

    [[noreturn]] void fail(const std::string& message) const {
        throw Error(message, Place{.column = at_ + 1});
    }

    std::string_view text_;
    std::size_t at_ = 0;
    bool behindMatch_ = false;  ///< a slash begins a regular expression
};

}  // namespace

std::vector<Token> tokenize(std::string_view program) {
    return Lexer(program).run();
}

}  // namespace holos::algebra::cubepl
