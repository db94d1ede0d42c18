// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/expression_parser.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "base/number.h"

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

namespace {

constexpr int kDeepest = 100;
constexpr const char* kTermExpected = "the name of a metric or an event";

bool isNameCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_$/:.-@=,%&!?").find(c) != std::string_view::npos;
}

/// Collects the steps of a formula and numbers its terms.
class FormulaBuilder {
  public:
    /// False when the term was there already.
    bool operand(std::string_view name) {
        const auto index = static_cast<std::uint32_t>(formula_.terms.size());
        const auto [found, isNew] = index_.emplace(name, index);
        if (isNew) formula_.terms.emplace_back(name);
        formula_.steps.push_back({Step::Kind::Operand, found->second, 0.0});
        return isNew;
    }
    void number(double value) { formula_.steps.push_back({Step::Kind::Number, 0, value}); }
    void apply(Step::Kind kind) { formula_.steps.push_back({kind, 0, 0.0}); }
    Formula take() { return std::move(formula_); }

  private:
    Formula formula_;
    std::unordered_map<std::string_view, std::uint32_t> index_;
};

/// Recursive descent; after the first mistake nothing more is reported for the line.
class ExpressionParser {
  public:
    ExpressionParser(std::span<const Token> tokens, const Token& before, Problems& problems)
        : tokens_(tokens), before_(before), problems_(problems) {}

    std::optional<Formula> run() {
        if (!sum(0)) return std::nullopt;
        if (at_ < tokens_.size()) return fail("an operator between two terms"), std::nullopt;
        return builder_.take();
    }

  private:
    const Token* peek() const { return at_ < tokens_.size() ? &tokens_[at_] : nullptr; }
    bool accept(char op) {
        if (at_ >= tokens_.size() || !tokens_[at_].is(op)) return false;
        ++at_;
        return true;
    }
    bool fail(const std::string& expected) {
        const Token& last = at_ == 0 ? before_ : tokens_[at_ - 1];
        reportExpected(peek(), last, expected, problems_);
        return false;
    }

    bool sum(int depth) {
        if (!product(depth)) return false;
        while (true) {
            if (accept('+')) {
                if (!product(depth)) return false;
                builder_.apply(Step::Kind::Add);
            } else if (accept('-')) {
                if (!product(depth)) return false;
                builder_.apply(Step::Kind::Subtract);
            } else {
                return true;
            }
        }
    }

    bool product(int depth) {
        if (!factor(depth)) return false;
        while (true) {
            if (accept('*')) {
                if (!factor(depth)) return false;
                builder_.apply(Step::Kind::Multiply);
            } else if (accept('/')) {
                if (!factor(depth)) return false;
                builder_.apply(Step::Kind::Divide);
            } else {
                return true;
            }
        }
    }

    bool factor(int depth) {
        bool negative = false;
        while (true) {
            if (accept('-'))
                negative = !negative;
            else if (!accept('+'))
                break;
        }
        if (!primary(depth)) return false;
        if (negative) builder_.apply(Step::Kind::Negate);
        return true;
    }

    bool primary(int depth) {
        if (accept('(')) {
            if (depth == kDeepest) return fail("at most " + std::to_string(kDeepest) + " nested parentheses");
            if (!sum(depth + 1)) return false;
            return accept(')') || fail("an operator or ')'");
        }
        const Token* token = peek();
        if (token == nullptr || !token->isWord())
            return fail(std::string(kTermExpected) + ", a number or '('");
        ++at_;
        if (const auto number = numberOf(token->text)) return builder_.number(*number), true;
        if (!checkName(*token, problems_)) return false;
        builder_.operand(token->text);
        return true;
    }

    std::span<const Token> tokens_;
    const Token& before_;
    Problems& problems_;
    std::size_t at_ = 0;
    FormulaBuilder builder_;
};

std::string sumMistake(const Token& token) {
    if (token.kind == Token::Kind::Operator && !token.is('='))
        return "found " + inQuotes(token.text) +
               ", but a composition only adds; use 'compute' for other arithmetic";
    return "found " + inQuotes(token.text) + ", expected '+' between two terms";
}

}  // namespace

std::optional<double> numberOf(std::string_view word) {
    if (word.empty() || (word[0] != '.' && (word[0] < '0' || word[0] > '9'))) return std::nullopt;
    return asFiniteNumber(word);
}

bool checkName(const Token& token, Problems& problems) {
    const auto bad = std::ranges::find_if_not(token.text, isNameCharacter);
    std::string wrong;
    if (bad != token.text.end())
        wrong = "; it contains " + inQuotes(std::string_view(&*bad, 1));
    else if (token.text.back() == '-')
        wrong = "; put a blank before '-' to subtract";
    else if (numberOf(token.text))
        wrong = "; it is a number";
    else
        return true;
    problems.add(token.line, token.column, token.text, inQuotes(token.text) + " cannot be a name" + wrong);
    return false;
}

void reportExpected(const Token* token, const Token& last, const std::string& expected, Problems& problems) {
    if (token != nullptr)
        problems.add(token->line, token->column, token->text,
                     "found " + inQuotes(token->text) + ", expected " + expected);
    else
        problems.add(last.line, last.column + last.text.size(), "",
                     "the line ends after " + inQuotes(last.text) + ", expected " + expected);
}

std::optional<Formula> parseSum(std::span<const Token> tokens, const Token& end, Problems& problems) {
    FormulaBuilder builder;
    const Token* last = &end;
    for (std::size_t i = 0; i < tokens.size() || i % 2 == 0; ++i) {
        const Token* token = i < tokens.size() ? &tokens[i] : nullptr;
        if (i % 2 == 1) {
            if (!token->is('+')) {
                problems.add(token->line, token->column, token->text, sumMistake(*token));
                return std::nullopt;
            }
        } else {
            if (token == nullptr || !token->isWord()) {
                reportExpected(token, *last, kTermExpected, problems);
                return std::nullopt;
            }
            if (!checkName(*token, problems)) return std::nullopt;
            if (!builder.operand(token->text)) {
                problems.add(token->line, token->column, token->text,
                             inQuotes(token->text) + " is added twice");
                return std::nullopt;
            }
            if (i > 0) builder.apply(Step::Kind::Add);
        }
        last = token;
    }
    return builder.take();
}

std::optional<Formula> parseValue(std::span<const Token> tokens, const Token& end, Problems& problems) {
    return ExpressionParser(tokens, end, problems).run();
}

std::optional<Formula> parseExpression(std::span<const Token> tokens, const Token& end, Problems& problems) {
    auto formula = parseValue(tokens, end, problems);
    if (formula && formula->terms.empty()) {
        problems.add(end.line, end.column, end.text, "the formula names no metric or event");
        return std::nullopt;
    }
    return formula;
}

}  // namespace holos::specs
