// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/cubepl/syntax.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "algebra/cubepl/lexer.h"
#include "base/error.h"

namespace holos::algebra::cubepl {
namespace {

constexpr std::array kFunctions{
    Function{"sqrt", [](double x) { return std::sqrt(x); }, nullptr},
    Function{"sin", [](double x) { return std::sin(x); }, nullptr},
    Function{"asin", [](double x) { return std::asin(x); }, nullptr},
    Function{"cos", [](double x) { return std::cos(x); }, nullptr},
    Function{"acos", [](double x) { return std::acos(x); }, nullptr},
    Function{"tan", [](double x) { return std::tan(x); }, nullptr},
    Function{"atan", [](double x) { return std::atan(x); }, nullptr},
    Function{"exp", [](double x) { return std::exp(x); }, nullptr},
    Function{"log", [](double x) { return std::log(x); }, nullptr},
    Function{"abs", [](double x) { return std::fabs(x); }, nullptr},
    Function{"sgn", [](double x) { return x > 0.0   ? 1.0
                                          : x < 0.0 ? -1.0
                                                    : 0.0; }, nullptr},
    Function{"pos", [](double x) { return x > 0.0 ? x : 0.0; }, nullptr},
    Function{"neg", [](double x) { return x < 0.0 ? x : 0.0; }, nullptr},
    Function{"floor", [](double x) { return std::floor(x); }, nullptr},
    Function{"ceil", [](double x) { return std::ceil(x); }, nullptr},
    Function{"min", nullptr, [](double x, double y) { return y < x ? y : x; }},
    Function{"max", nullptr, [](double x, double y) { return x < y ? y : x; }},
};

}  // namespace

std::optional<std::uint32_t> findFunction(std::string_view name) {
    const auto found = std::ranges::find(kFunctions, name, &Function::name);
    if (found == kFunctions.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - kFunctions.begin());
}

const Function& function(std::uint32_t index) {
    return kFunctions[index];
}

namespace {

using Kind = Token::Kind;
using NodeIndex = std::uint32_t;

/// Nesting of the program; bounds the recursion here and in the evaluation.
constexpr std::size_t kDeepest = 100;

struct Operator {
    std::string_view token;
    Op op;
};
/// From the loosest to the tightest binding; all of them left-associative.
constexpr std::array kLogic{Operator{"and", Op::And}, Operator{"or", Op::Or}};
constexpr std::array kCompare{Operator{"==", Op::Equal},        Operator{"!=", Op::Unequal},
                              Operator{">=", Op::GreaterEqual}, Operator{"<=", Op::LessEqual},
                              Operator{">", Op::Greater},       Operator{"<", Op::Less},
                              Operator{"eq", Op::SameText},     Operator{"seq", Op::SimilarText}};
constexpr std::array kSum{Operator{"+", Op::Add}, Operator{"-", Op::Subtract}};
constexpr std::array kProduct{Operator{"*", Op::Multiply}, Operator{"/", Op::Divide}};
constexpr std::array kPower{Operator{"^", Op::Power}};
constexpr std::array kTextFunctions{Operator{"lowercase", Op::Lowercase},
                                    Operator{"uppercase", Op::Uppercase}, Operator{"env", Op::Environment}};

class Parser {
  public:
    explicit Parser(std::string_view text) : tokens_(tokenize(text)) {}

    Program run() {
        if (isSymbol("{"))
            block();
        else
            expression();
        if (peek().kind != Kind::End) fail("the end of the program was expected");
        return std::move(program_);
    }

  private:
    // Statements

    NodeIndex block() {
        if (++depth_ > kDeepest) fail("the program is nested too deeply");
        expect("{");
        Node node{.op = Op::Block};
        while (!isSymbol("}")) {
            if (accept(";")) continue;
            node.operands.push_back(statement());
        }
        expect("}");
        --depth_;
        return add(std::move(node));
    }

    NodeIndex statement() {
        if (peek().kind == Kind::Variable) return assignment();
        const std::string keyword = peek().kind == Kind::Name ? peek().text : std::string();
        if (keyword == "if") return condition();
        if (keyword == "while") {
            next();
            const NodeIndex test = inBrackets();
            return add({.op = Op::While, .operands = {test, block()}});
        }
        if (keyword == "return") {
            next();
            return add({.op = Op::Return, .operands = {expression()}});
        }
        if (keyword == "global" || keyword == "local") {
            next();
            const std::string name = variableName();
            return keyword == "global" ? add({.op = Op::Share, .text = name}) : add({.op = Op::Block});
        }
        if (keyword == "cube") return metricStatement();
        fail("a statement was expected");
    }

    NodeIndex assignment() {
        Node node{.op = Op::Assign, .text = next().text};
        program_.usesVariables = true;
        std::optional<NodeIndex> index;
        if (accept("[")) {
            index = expression();
            expect("]");
        }
        expect("=");
        node.operands.push_back(expression());
        if (index) node.operands.push_back(*index);
        return add(std::move(node));
    }

    NodeIndex condition() {
        Node node{.op = Op::If};
        do {
            next();
            node.operands.push_back(inBrackets());
            node.operands.push_back(block());
        } while (isName("elseif"));
        if (acceptName("else")) node.operands.push_back(block());
        return add(std::move(node));
    }

    /// `cube::metric::set::NAME("value", "VOID")`, or the definition of a metric.
    NodeIndex metricStatement() {
        next();
        expectPath({"metric"});
        expect("::");
        const std::string what = peek().text;
        if (!acceptName("set") && !acceptName("prederived") && !acceptName("postderived"))
            fail("\"cube::metric::" + what + "\" cannot be evaluated");
        expect("::");
        Definition definition{.name = metricName()};
        if (what == "set") {
            expect("(");
            const NodeIndex property = expression();
            expect(",");
            const NodeIndex value = expression();
            expect(")");
            return add({.op = Op::SetProperty, .text = definition.name, .operands = {property, value}});
        }
        if (accept("(")) {
            const std::string kind = isSymbol(")") ? std::string() : next().text;
            expect(")");
            if (what == "prederived")
                definition.kind = kind == "i" ? Definition::Kind::PreDerivedInclusive
                                              : Definition::Kind::PreDerivedExclusive;
        }
        if (peek().kind != Kind::Body) fail("\"<<\", an expression and \">>\" were expected");
        definition.expression = next().text;
        program_.definitions.push_back(std::move(definition));
        return add({.op = Op::Block});
    }

    NodeIndex inBrackets() {
        expect("(");
        const NodeIndex inside = expression();
        expect(")");
        return inside;
    }

    // Expressions

    NodeIndex expression() {
        if (++depth_ > kDeepest) fail("the program is nested too deeply");
        const NodeIndex found =
            binary(kLogic, [this] { return binary(kCompare, [this] { return match(); }); });
        --depth_;
        return found;
    }

    NodeIndex match() {
        const NodeIndex text = binary(kSum, [this] { return product(); });
        if (!accept("=~")) return text;
        if (peek().kind != Kind::Pattern) fail("a regular expression in slashes was expected");
        program_.patterns.emplace_back(next().text);
        const auto index = static_cast<std::uint32_t>(program_.patterns.size() - 1);
        return add({.op = Op::Matches, .index = index, .operands = {text}});
    }

    NodeIndex product() {
        return binary(kProduct, [this] { return sign(); });
    }

    /// A minus binds less than a power: -2^2 is -4.
    NodeIndex sign() {
        bool negative = false;
        while (isSymbol("-") || isSymbol("+")) negative ^= next().text == "-";
        const NodeIndex power = binary(kPower, [this] { return primary(); });
        return negative ? add({.op = Op::Negate, .operands = {power}}) : power;
    }

    template <class Operators, class Operand>
    NodeIndex binary(const Operators& operators, Operand operand) {
        NodeIndex left = operand();
        while (true) {
            const auto found = std::ranges::find_if(operators, [this](const Operator& candidate) {
                return isSymbol(candidate.token) || isName(candidate.token);
            });
            if (found == operators.end()) return left;
            next();
            left = add({.op = found->op, .operands = {left, operand()}});
        }
    }

    NodeIndex primary() {
        if (isSymbol("(")) return inBrackets();
        if (accept("|")) {
            const NodeIndex inside = expression();
            expect("|");
            return add({.op = Op::Magnitude, .operands = {inside}});
        }
        if (peek().kind == Kind::Number) return add({.op = Op::Number, .number = next().number});
        if (peek().kind == Kind::String) return add({.op = Op::Text, .text = next().text});
        if (peek().kind == Kind::Variable) return variable();
        if (peek().kind == Kind::Name) return named();
        fail("an expression was expected");
    }

    NodeIndex variable() {
        Node node{.op = Op::Variable, .text = next().text};
        for (const std::string_view place :
             {"calculation::sysres::", "calculation::process::", "calculation::thread::"})
            program_.dependsOnLocation = program_.dependsOnLocation || node.text.starts_with(place);
        program_.usesVariables = true;
        if (accept("[")) {
            node.operands.push_back(expression());
            expect("]");
        }
        return add(std::move(node));
    }

    NodeIndex named() {
        if (acceptName("metric")) return reference();
        if (acceptName("true")) return add({.op = Op::Number, .number = 1.0});
        if (acceptName("false")) return add({.op = Op::Number, .number = 0.0});
        if (acceptName("not")) return add({.op = Op::Not, .operands = {inBrackets()}});
        if (isName("sizeof") || isName("defined")) {
            const Op op = next().text == "sizeof" ? Op::SizeOf : Op::Defined;
            return add({.op = op, .text = variableName()});
        }
        if (acceptName("arg1")) return add({.op = Op::Argument, .index = 0});
        if (acceptName("arg2")) return add({.op = Op::Argument, .index = 1});
        for (const auto& [name, op] : kTextFunctions)
            if (acceptName(name)) return add({.op = op, .operands = {inBrackets()}});
        if (acceptName("random")) {
            program_.dependsOnLocation = true;
            return add({.op = Op::Random, .operands = {inBrackets()}});
        }
        if (acceptName("cube")) {
            expectPath({"metric", "get"});
            expect("::");
            const std::string metric = metricName();
            return add({.op = Op::Property, .text = metric, .operands = {inBrackets()}});
        }
        const auto known = findFunction(peek().text);
        if (!known) fail("\"" + peek().text + "\" cannot be evaluated");
        next();
        Node node{.op = Op::Function, .index = *known};
        expect("(");
        node.operands.push_back(expression());
        if (function(*known).two != nullptr) {
            expect(",");
            node.operands.push_back(expression());
        }
        expect(")");
        return add(std::move(node));
    }

    /// Behind `metric`: `::[context::|fixed::]NAME([MODIFIER[,MODIFIER]])` or `::call::NAME(PATH,MODIFIER)`.
    /// What is fixed: without modifiers both trees, with one the system tree, with two nothing.
    NodeIndex reference() {
        Reference found;
        expect("::");
        if (isName("context") || isName("fixed") || isName("call")) {
            const std::string how = next().text;
            found.fixed = how == "fixed";
            found.called = how == "call";
            expect("::");
        }
        found.name = metricName();
        expect("(");
        std::vector<NodeIndex> path;
        if (found.called) {
            path.push_back(expression());
            expect(",");
        }
        if (found.called || !isSymbol(")")) {
            found.flavour = flavour();
            if (isSymbol(",") && found.called) fail("places in the system tree cannot be evaluated");
            found.everywhere = std::exchange(found.fixed, false);
            if (accept(",")) {
                flavour();  // along the system tree: makes no difference to locations
                found.everywhere = false;
            }
        }
        expect(")");
        auto& references = program_.references;
        auto known = std::ranges::find(references, found);
        if (known == references.end()) known = references.insert(known, std::move(found));
        return add({.op = path.empty() ? Op::Operand : Op::Call,
                    .index = static_cast<std::uint32_t>(known - references.begin()),
                    .operands = std::move(path)});
    }

    /// Up to the bracket or the body behind it. A name may contain `::` and `=`.
    std::string metricName() {
        std::string name;
        while (!isSymbol("(") && peek().kind != Kind::Body) {
            if (peek().kind != Kind::Name && peek().kind != Kind::Number && !isSymbol("::") &&
                !isSymbol(":") && !isSymbol("=") && !isSymbol("=="))
                fail("the name of a metric and \"(\" were expected");
            name += next().text;
        }
        return name;
    }

    /// `(NAME)` without `${}` around it; a name may contain `::` and `#`.
    std::string variableName() {
        program_.usesVariables = true;
        expect("(");
        std::string name;
        while (!isSymbol(")")) name += next().text;
        expect(")");
        return name;
    }

    /// `::NAME` for each of these.
    void expectPath(std::initializer_list<std::string_view> names) {
        for (const std::string_view name : names) {
            expect("::");
            if (!acceptName(name)) fail("\"" + peek().text + "\" cannot be evaluated");
        }
    }

    Flavour flavour() {
        const std::string text = next().text;
        if (text == "i") return Flavour::Inclusive;
        if (text == "e") return Flavour::Exclusive;
        if (text == "*") return Flavour::AsContext;
        fail("i, e or * was expected, not \"" + text + "\"");
    }

    // Tokens

    const Token& peek() const { return tokens_[at_]; }
    Token next() {
        if (peek().kind == Kind::End) fail("the program ends too early");
        return tokens_[at_++];
    }
    bool isSymbol(std::string_view text) const { return peek().kind == Kind::Symbol && peek().text == text; }
    bool isName(std::string_view text) const { return peek().kind == Kind::Name && peek().text == text; }
    bool accept(std::string_view symbol) { return isSymbol(symbol) && (next(), true); }
    bool acceptName(std::string_view name) { return isName(name) && (next(), true); }
    void expect(std::string_view symbol) {
        if (!accept(symbol)) fail("\"" + std::string(symbol) + "\" was expected");
    }

    NodeIndex add(Node node) {
        std::size_t depth = 0;
        for (const NodeIndex operand : node.operands) depth = std::max(depth, depths_[operand]);
        if (depth >= 4 * kDeepest) fail("the program is nested too deeply");
        depths_.push_back(depth + 1);
        program_.nodes.push_back(std::move(node));
        return static_cast<NodeIndex>(program_.nodes.size() - 1);
    }

    [[noreturn]] void fail(const std::string& message) const {
        throw Error(message, Place{.column = peek().offset + 1});
    }

    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    std::size_t depth_ = 0;
    std::vector<std::size_t> depths_;
    Program program_;
};

}  // namespace

Program parse(std::string_view text) {
    return Parser(text).run();
}

}  // namespace holos::algebra::cubepl
