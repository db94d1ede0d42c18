// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/formula_text.h"

#include <array>
#include <charconv>

namespace holos::specs {
namespace {

/// A part of a formula as text, and how tightly its outermost operator binds.
struct Part {
    enum class Binding : std::uint8_t { Sum, Product, Atom };
    std::string text;
    Binding binding = Binding::Atom;

    std::string inside(Binding least) const { return binding < least ? "( " + text + " )" : text; }
};

Part join(const Part& left, char op, const Part& right) {
    const bool product = op == '*' || op == '/';
    const Part::Binding own = product ? Part::Binding::Product : Part::Binding::Sum;
    // Behind '-' and '/' an operand of the same binding needs parentheses.
    const Part::Binding rightLeast = op == '/'   ? Part::Binding::Atom
                                     : op == '-' ? Part::Binding::Product
                                                 : own;
    return {left.inside(own) + ' ' + op + ' ' + right.inside(rightLeast), own};
}

void append(std::vector<Part>& stack, const Step& step, const Formula& formula) {
    const auto binary = [&stack](char op) {
        const Part right = std::move(stack.back());
        stack.pop_back();
        stack.back() = join(stack.back(), op, right);
    };
    switch (step.kind) {
        case Step::Kind::Operand:
            stack.push_back({formula.terms[step.operand], Part::Binding::Atom});
            break;
        case Step::Kind::Number:
            stack.push_back({textOf(step.number), Part::Binding::Atom});
            break;
        case Step::Kind::Add:
            binary('+');
            break;
        case Step::Kind::Subtract:
            binary('-');
            break;
        case Step::Kind::Multiply:
            binary('*');
            break;
        case Step::Kind::Divide:
            binary('/');
            break;
        case Step::Kind::Negate:
            stack.back() = {"-" + stack.back().inside(Part::Binding::Atom), Part::Binding::Product};
    }
}

}  // namespace

std::string textOf(double number) {
    std::array<char, 400> digits{};  // room for the longest number without exponent
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), number, std::chars_format::fixed).ptr;
    return {digits.data(), end};
}

std::string textOf(const Formula& formula) {
    std::vector<Part> stack;
    for (const Step& step : formula.steps) append(stack, step, formula);
    return stack.empty() ? std::string() : stack.back().text;
}

}  // namespace holos::specs
