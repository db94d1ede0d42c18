// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/formula.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <limits>

namespace holos::specs {
namespace {

/// Elements that are worked on at a time, so that the values on the stack stay in the fastest cache.
constexpr std::size_t kBlock = 256;

double quotient(double numerator, double denominator, double nothing) {
    if (denominator != 0.0) return numerator == 0.0 ? 0.0 : numerator / denominator;
    return numerator == 0.0 ? nothing : std::numeric_limits<double>::quiet_NaN();
}

using Block = std::array<double, kBlock>;
using BlockStack = std::vector<Block>;

/// Replaces the two topmost blocks by `combine(lower, upper)`.
template <class Combine>
void reduce(BlockStack& stack, std::size_t count, Combine combine) {
    const Block& upper = stack.back();
    Block& lower = *(stack.end() - 2);
    for (std::size_t i = 0; i < count; ++i) lower[i] = combine(lower[i], upper[i]);
    stack.pop_back();
}

std::size_t depthOf(const Formula& formula) {
    std::size_t depth = 0;
    std::size_t deepest = 1;
    for (const Step& step : formula.steps) {
        if (step.kind == Step::Kind::Operand || step.kind == Step::Kind::Number)
            deepest = std::max(deepest, ++depth);
        else if (step.kind != Step::Kind::Negate)
            --depth;
    }
    assert(depth == 1);
    return deepest;
}

void apply(const Step& step, BlockStack& stack, const double* operand, std::size_t count, double nothing) {
    switch (step.kind) {
        case Step::Kind::Operand:
            if (operand == nullptr)
                stack.emplace_back().fill(0.0);
            else
                std::copy_n(operand, count, stack.emplace_back().begin());
            break;
        case Step::Kind::Number:
            stack.emplace_back().fill(step.number);
            break;
        case Step::Kind::Add:
            reduce(stack, count, [](double a, double b) { return a + b; });
            break;
        case Step::Kind::Subtract:
            reduce(stack, count, [](double a, double b) { return a - b; });
            break;
        case Step::Kind::Multiply:
            reduce(stack, count, [](double a, double b) { return a * b; });
            break;
        case Step::Kind::Divide:
            reduce(stack, count, [nothing](double a, double b) { return quotient(a, b, nothing); });
            break;
        case Step::Kind::Negate:
            for (double& value : stack.back()) value = -value;
            break;
    }
}

/// How many steps, up to the one before `end`, make the value on top of the stack there.
std::size_t lengthOfOperand(const std::vector<Step>& steps, std::size_t end) {
    std::size_t missing = 1;
    std::size_t at = end;
    while (missing > 0) {
        const Step::Kind kind = steps[--at].kind;
        if (kind == Step::Kind::Operand || kind == Step::Kind::Number)
            --missing;
        else if (kind != Step::Kind::Negate)
            ++missing;
    }
    return end - at;
}

/// The steps `[begin, end)` as a formula of their own.
Formula partOf(const Formula& whole, std::size_t begin, std::size_t end) {
    Formula part;
    for (std::size_t i = begin; i < end; ++i) {
        Step step = whole.steps[i];
        if (step.kind == Step::Kind::Operand) {
            const std::string& name = whole.terms[step.operand];
            const auto known = std::ranges::find(part.terms, name);
            step.operand = static_cast<std::uint32_t>(known - part.terms.begin());
            if (known == part.terms.end()) part.terms.push_back(name);
        }
        part.steps.push_back(step);
    }
    return part;
}

}  // namespace

Formula sumOf(std::vector<std::string> terms) {
    assert(!terms.empty());
    Formula formula{std::move(terms), {}};
    for (std::uint32_t i = 0; i < formula.terms.size(); ++i) {
        formula.steps.push_back({Step::Kind::Operand, i, 0.0});
        if (i > 0) formula.steps.push_back({Step::Kind::Add, 0, 0.0});
    }
    return formula;
}

std::optional<std::pair<Formula, Formula>> splitQuotient(const Formula& formula) {
    const auto divisions = std::ranges::count(formula.steps, Step::Kind::Divide, &Step::kind);
    if (divisions != 1 || formula.steps.back().kind != Step::Kind::Divide) return std::nullopt;
    const std::size_t end = formula.steps.size() - 1;
    const std::size_t middle = end - lengthOfOperand(formula.steps, end);
    return std::pair(partOf(formula, 0, middle), partOf(formula, middle, end));
}

void evaluate(const Formula& formula, std::span<const std::span<const double>> operands,
              std::span<double> result, double nothing) {
    assert(operands.size() == formula.terms.size());
    BlockStack stack;
    stack.reserve(depthOf(formula));
    for (std::size_t at = 0; at < result.size(); at += kBlock) {
        const std::size_t count = std::min(kBlock, result.size() - at);
        stack.clear();
        for (const Step& step : formula.steps) {
            const double* operand = nullptr;
            if (step.kind == Step::Kind::Operand && !operands[step.operand].empty())
                operand = operands[step.operand].data() + at;
            apply(step, stack, operand, count, nothing);
        }
        std::copy_n(stack.back().begin(), count, result.begin() + static_cast<std::ptrdiff_t>(at));
    }
}

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
            stack.push_back({exactText(step.number), Part::Binding::Atom});
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

std::string exactText(double number) {
    std::array<char, 400> digits{};  // room for the longest number without exponent
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), number, std::chars_format::fixed).ptr;
    return {digits.data(), end};
}

std::string formulaText(const Formula& formula) {
    std::vector<Part> stack;
    for (const Step& step : formula.steps) append(stack, step, formula);
    return stack.empty() ? std::string() : stack.back().text;
}

}  // namespace holos::specs
