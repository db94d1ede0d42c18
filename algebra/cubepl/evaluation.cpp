// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/cubepl/evaluation.h"

#include <cmath>
#include <limits>

#include "metric-specs/error.h"

namespace holos::algebra::cubepl {
namespace {

constexpr double kLargestIndex = 10'000'000;

double divide(double numerator, double denominator) {
    if (numerator == 0.0) return 0.0;
    return denominator == 0.0 ? std::numeric_limits<double>::quiet_NaN() : numerator / denominator;
}

class Evaluation {
  public:
    Evaluation(const Program& program, const Inputs& inputs) : program_(program), inputs_(inputs) {}

    double run() {
        const auto root = static_cast<std::uint32_t>(program_.nodes.size() - 1);
        if (program_.nodes[root].op != Op::Block) return number(root);
        execute(root);
        return result_.value_or(0.0);
    }

    /// What the assigned variables take, which is free again with the evaluation.
    std::size_t elementsSpent() const { return elementsSpent_; }
    Variables takeVariables() { return std::move(own_); }

  private:
    const Node& node(std::uint32_t at) const { return program_.nodes[at]; }

    double number(std::uint32_t at) {
        const Node& it = node(at);
        switch (it.op) {
            case Op::Number:
                return it.number;
            case Op::Operand: {
                const auto& column = inputs_.operands[it.index];
                return column.size() == 1 ? column.front() : column[inputs_.lane];
            }
            case Op::Variable:
                return variable(it).number;
            case Op::Negate:
                return -number(it.operands[0]);
            case Op::Magnitude:
                return std::fabs(number(it.operands[0]));
            case Op::Not:
                return number(it.operands[0]) == 0.0 ? 1.0 : 0.0;
            case Op::And:
                return number(it.operands[0]) != 0.0 && number(it.operands[1]) != 0.0 ? 1.0 : 0.0;
            case Op::Or:
                return number(it.operands[0]) != 0.0 || number(it.operands[1]) != 0.0 ? 1.0 : 0.0;
            case Op::SameText:
                return text(it.operands[0]) == text(it.operands[1]) ? 1.0 : 0.0;
            case Op::Function:
                return call(it);
            case Op::SizeOf:
                return static_cast<double>(elements(it.text));
            case Op::Defined:
                return elements(it.text) > 0 ? 1.0 : 0.0;
            case Op::Text:
                return 0.0;
            default:
                return binary(it.op, number(it.operands[0]), number(it.operands[1]));
        }
    }

    static double binary(Op op, double left, double right) {
        switch (op) {
            case Op::Add:
                return left + right;
            case Op::Subtract:
                return left - right;
            case Op::Multiply:
                return left * right;
            case Op::Divide:
                return divide(left, right);
            case Op::Power:
                return std::pow(left, right);
            case Op::Equal:
                return left == right ? 1.0 : 0.0;
            case Op::Unequal:
                return left != right ? 1.0 : 0.0;
            case Op::Greater:
                return left > right ? 1.0 : 0.0;
            case Op::GreaterEqual:
                return left >= right ? 1.0 : 0.0;
            case Op::Less:
                return left < right ? 1.0 : 0.0;
            default:
                return left <= right ? 1.0 : 0.0;
        }
    }

    double call(const Node& it) {
        const Function& called = function(it.index);
        const double first = number(it.operands[0]);
        return called.one != nullptr ? called.one(first) : called.two(first, number(it.operands[1]));
    }

    std::string text(std::uint32_t at) {
        const Node& it = node(at);
        if (it.op == Op::Text) return it.text;
        if (it.op == Op::Variable) return variable(it).text.value_or(std::string());
        throw Error("a text was expected");
    }

    std::size_t index(std::uint32_t at) {
        const double value = number(at);
        if (!(value >= 0.0 && value <= kLargestIndex)) throw Error("the index of a variable is out of range");
        return static_cast<std::size_t>(value);
    }

    Value variable(const Node& it) {
        const auto element = it.operands.empty() ? std::nullopt : std::optional(index(it.operands[0]));
        if (it.text.starts_with("cube::") || it.text.starts_with("calculation::")) {
            const auto fact = inputs_.facts == nullptr ? std::nullopt : inputs_.facts->find(it.text, element);
            if (!fact) throw Error("\"" + it.text + "\" is not known here");
            return *fact;
        }
        const auto* const values = find(it.text);
        if (values == nullptr || element.value_or(0) >= values->size()) return {};
        return (*values)[element.value_or(0)];
    }

    const std::vector<Value>* find(const std::string& name) const {
        if (const auto own = own_.values.find(name); own != own_.values.end()) return &own->second;
        if (inputs_.given == nullptr) return nullptr;
        const auto given = inputs_.given->values.find(name);
        return given == inputs_.given->values.end() ? nullptr : &given->second;
    }

    std::size_t elements(const std::string& name) const {
        const auto* const values = find(name);
        return values == nullptr ? 0 : values->size();
    }

    static void spend(std::size_t& left, std::size_t amount) {
        if (amount > left) throw Error("the program does not end or takes too much memory");
        left -= amount;
    }

    /// Stops at the first `return`.
    void execute(std::uint32_t at) {
        const Node& it = node(at);
        if (result_) return;
        switch (it.op) {
            case Op::Block:
                for (const std::uint32_t statement : it.operands) execute(statement);
                return;
            case Op::Assign:
                return assign(it);
            case Op::If:
                return choose(it);
            case Op::While:
                while (!result_ && number(it.operands[0]) != 0.0) {
                    spend(inputs_.budget->loops, 1);
                    execute(it.operands[1]);
                }
                return;
            case Op::Share:
                own_.shared.insert(it.text);
                return;
            default:
                result_ = number(it.operands[0]);
        }
    }

    void assign(const Node& it) {
        const std::size_t element = it.operands.size() > 1 ? index(it.operands[1]) : 0;
        const Op source = node(it.operands[0]).op;
        Value value;
        if (source == Op::Variable)
            value = variable(node(it.operands[0]));
        else if (source == Op::Text)
            value.text = node(it.operands[0]).text;
        else
            value.number = number(it.operands[0]);
        auto& values = own_.values[it.text];
        if (values.size() <= element) {
            spend(inputs_.budget->elements, element + 1 - values.size());
            elementsSpent_ += element + 1 - values.size();
            values.resize(element + 1);
        }
        values[element] = std::move(value);
    }

    void choose(const Node& it) {
        std::size_t at = 0;
        for (; at + 1 < it.operands.size(); at += 2)
            if (number(it.operands[at]) != 0.0) return execute(it.operands[at + 1]);
        if (at < it.operands.size()) execute(it.operands[at]);
    }

    const Program& program_;
    const Inputs& inputs_;
    std::optional<double> result_;
    Variables own_;
    std::size_t elementsSpent_ = 0;
};

}  // namespace

double evaluate(const Program& program, const Inputs& inputs) {
    Evaluation evaluation(program, inputs);
    const double value = evaluation.run();
    inputs.budget->elements += evaluation.elementsSpent();
    return value;
}

Variables initialise(const Program& program, const Inputs& inputs) {
    Evaluation evaluation(program, inputs);
    evaluation.run();
    return evaluation.takeVariables();
}

}  // namespace holos::algebra::cubepl
