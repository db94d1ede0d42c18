// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/cubepl/evaluation.h"

#include <algorithm>
#include <boost/regex.hpp>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <limits>

#include "algebra/cubepl/syntax.h"
#include "base/error.h"

namespace holos::algebra::cubepl {
namespace {

constexpr double kLargestIndex = 10'000'000;
constexpr std::size_t kStepsPerElement = 4;  // memory that was never touched is slow

double divide(double numerator, double denominator) {
    if (numerator == 0.0) return 0.0;
    return denominator == 0.0 ? std::numeric_limits<double>::quiet_NaN() : numerator / denominator;
}

template <class Change>
std::string changed(std::string text, Change change) {
    std::ranges::transform(text, text.begin(),
                           [change](unsigned char c) { return static_cast<char>(change(c)); });
    return text;
}
std::string lowercase(std::string text) {
    return changed(std::move(text), [](int c) { return std::tolower(c); });
}

/// Between 0 and 1, the same for the same number (the finaliser of splitmix64).
double scattered(std::uint64_t number) {
    std::uint64_t bits = number * 0x9E3779B97F4A7C15U;
    bits = (bits ^ bits >> 30U) * 0xBF58476D1CE4E5B9U;
    bits = (bits ^ bits >> 27U) * 0x94D049BB133111EBU;
    return std::ldexp(static_cast<double>((bits ^ bits >> 31U) >> 11U), -53);
}

/// Whether the variable is one that CUBE defines.
bool isFact(const std::string& name) {
    return name.starts_with("cube::") || name.starts_with("calculation::");
}

bool isText(Op op) {
    return op == Op::Text || op == Op::Lowercase || op == Op::Uppercase || op == Op::Environment ||
           op == Op::Property;
}

class Evaluation {
  public:
    Evaluation(const Program& program, const Inputs& inputs)
        : program_(program), inputs_(inputs), budget_(*inputs.budget) {}
    Evaluation(Evaluation&&) = delete;
    ~Evaluation() { budget_.release(held_); }

    double run() {
        const auto root = static_cast<std::uint32_t>(program_.nodes.size() - 1);
        if (program_.nodes[root].op != Op::Block) return number(root);
        execute(root);
        return result_.value_or(0.0);
    }

    Effects takeEffects() {
        held_ = 0;  // what lives on stays taken
        return {std::move(own_), std::move(changes_)};
    }

  private:
    const Node& node(std::uint32_t at) const { return program_.nodes[at]; }

    double number(std::uint32_t at) {
        budget_.spend(1);
        const Node& it = node(at);
        switch (it.op) {
            case Op::Number:
                return it.number;
            case Op::Operand: {
                const auto& column = inputs_.operands[it.index];
                return column.size() == 1 ? column.front() : column[inputs_.lane];
            }
            case Op::Call:
                return called(it);
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
            case Op::SimilarText:
                return lowercase(text(it.operands[0])) == lowercase(text(it.operands[1])) ? 1.0 : 0.0;
            case Op::Matches:
                return program_.patterns[it.index].isIn(text(it.operands[0]), budget_) ? 1.0 : 0.0;
            case Op::Random:
                return number(it.operands[0]) * scattered(inputs_.lane * 0x10001U + ++draws_);
            case Op::Argument:
                return inputs_.arguments[it.index];
            case Op::Function:
                return call(it);
            case Op::SizeOf:
                return static_cast<double>(elements(it.text));
            case Op::Defined:
                return elements(it.text) > 0 ? 1.0 : 0.0;
            case Op::Text:
            case Op::Lowercase:
            case Op::Uppercase:
            case Op::Environment:
            case Op::Property:
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

    double called(const Node& it) {
        const Reference& reference = program_.references[it.index];
        const std::size_t path = index(it.operands[0]);
        const auto found = inputs_.facts == nullptr ? std::nullopt : inputs_.facts->valueAt(reference, path);
        if (!found) throw Error("there is no call path " + std::to_string(path));
        return *found;
    }

    std::string text(std::uint32_t at) {
        std::string found = uncountedText(at);
        budget_.spendOnText(found.size());
        return found;
    }

    std::string uncountedText(std::uint32_t at) {
        const Node& it = node(at);
        switch (it.op) {
            case Op::Text:
                return it.text;
            case Op::Variable:
                return variable(it).text.value_or(std::string());
            case Op::Lowercase:
                return lowercase(text(it.operands[0]));
            case Op::Uppercase:
                return changed(text(it.operands[0]), [](int c) { return std::toupper(c); });
            case Op::Environment: {
                const char* const found = std::getenv(text(it.operands[0]).c_str());
                return found == nullptr ? std::string() : found;
            }
            case Op::Property: {
                const std::string name = text(it.operands[0]);
                const auto found =
                    inputs_.facts == nullptr ? std::nullopt : inputs_.facts->property(it.text, name);
                if (!found) throw Error("the metric \"" + it.text + "\" has no property \"" + name + "\"");
                return *found;
            }
            default:
                throw Error("a text was expected");
        }
    }

    std::size_t index(std::uint32_t at) {
        const double value = number(at);
        if (!(value >= 0.0 && value <= kLargestIndex)) throw Error("the index of a variable is out of range");
        return static_cast<std::size_t>(value);
    }

    Value variable(const Node& it) {
        const auto element = it.operands.empty() ? std::nullopt : std::optional(index(it.operands[0]));
        if (isFact(it.text)) {
            const auto fact = inputs_.facts == nullptr ? std::nullopt : inputs_.facts->find(it.text, element);
            if (!fact) throw Error("\"" + it.text + "\" is not known here");
            return counted(*fact);
        }
        const auto* const values = find(it.text);
        if (values == nullptr || element.value_or(0) >= values->size()) return {};
        return counted((*values)[element.value_or(0)]);
    }

    const Value& counted(const Value& value) {
        if (value.text) budget_.spendOnText(value.text->size());
        return value;
    }

    const std::vector<Value>* find(const std::string& name) const {
        if (const auto own = own_.values.find(name); own != own_.values.end()) return &own->second;
        for (const Variables* const given : inputs_.given) {
            if (given == nullptr) continue;
            if (const auto found = given->values.find(name); found != given->values.end())
                return &found->second;
        }
        return nullptr;
    }

    std::size_t elements(const std::string& name) const {
        if (isFact(name)) return elementsOfFact(name);
        const auto* const values = find(name);
        return values == nullptr ? 0 : values->size();
    }

    /// `cube::region::name` has an element for each region; what is about the place of the evaluation has
    /// one.
    std::size_t elementsOfFact(const std::string& name) const {
        constexpr std::string_view kArray = "cube::";
        if (inputs_.facts == nullptr || !name.starts_with(kArray)) return 1;
        const auto kind = name.substr(kArray.size(), name.find("::", kArray.size()) - kArray.size());
        const auto count = inputs_.facts->find("cube::#" + kind + 's', std::nullopt);
        return count ? static_cast<std::size_t>(count->number) : 1;
    }

    void hold(std::size_t bytes) {
        budget_.take(bytes);
        held_ += bytes;
    }
    void release(std::size_t bytes) {
        budget_.release(bytes);
        held_ -= bytes;
    }

    /// Stops at the first `return`.
    void execute(std::uint32_t at) {
        budget_.spend(1);
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
                while (!result_ && number(it.operands[0]) != 0.0) execute(it.operands[1]);
                return;
            case Op::Share:
                own_.shared.insert(it.text);
                return;
            case Op::SetProperty:
                changes_.push_back({it.text, text(it.operands[0]), text(it.operands[1])});
                hold(sizeof(PropertyChange) + it.text.size() + changes_.back().property.size() +
                     changes_.back().value.size());
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
        else if (isText(source))
            value.text = text(it.operands[0]);
        else
            value.number = number(it.operands[0]);
        auto& values = own_.values[it.text];
        if (values.size() <= element) {
            const std::size_t added = element + 1 - values.size();
            budget_.spend(kStepsPerElement * added);
            hold(added * sizeof(Value));
            values.resize(element + 1);
        }
        release(bytesOfText(values[element]));
        values[element] = {};
        hold(bytesOfText(value));
        values[element] = std::move(value);
    }

    static std::size_t bytesOfText(const Value& value) { return value.text ? value.text->size() : 0; }

    void choose(const Node& it) {
        std::size_t at = 0;
        for (; at + 1 < it.operands.size(); at += 2)
            if (number(it.operands[at]) != 0.0) return execute(it.operands[at + 1]);
        if (at < it.operands.size()) execute(it.operands[at]);
    }

    const Program& program_;
    const Inputs& inputs_;
    Budget& budget_;
    std::optional<double> result_;
    Variables own_;
    std::vector<PropertyChange> changes_;
    std::size_t held_ = 0;  ///< bytes that were taken from the budget
    std::uint64_t draws_ = 0;
};

}  // namespace

double evaluate(const Program& program, const Inputs& inputs) {
    return Evaluation(program, inputs).run();
}

Effects initialise(const Program& program, const Inputs& inputs) {
    Evaluation evaluation(program, inputs);
    evaluation.run();
    return evaluation.takeEffects();
}

namespace {

/// A place in a text; each look at its character is a step. Boost has no other way to bound a search by work.
class CountedCharacter {
  public:
    using iterator_category = std::bidirectional_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountedCharacter() = default;
    CountedCharacter(const char* at, Budget& budget) : at_(at), budget_(&budget) {}

    reference operator*() const {
        budget_->spend(1);
        return *at_;
    }
    CountedCharacter& operator++() {
        ++at_;
        return *this;
    }
    CountedCharacter operator++(int) {
        CountedCharacter before = *this;
        ++at_;
        return before;
    }
    CountedCharacter& operator--() {
        --at_;
        return *this;
    }
    CountedCharacter operator--(int) {
        CountedCharacter before = *this;
        --at_;
        return before;
    }
    friend bool operator==(const CountedCharacter& a, const CountedCharacter& b) { return a.at_ == b.at_; }

  private:
    const char* at_ = nullptr;
    Budget* budget_ = nullptr;
};

}  // namespace

struct Pattern::Compiled {
    boost::regex expression;
};

Pattern::Pattern(const std::string& expression) {
    try {
        compiled_ = std::make_shared<const Compiled>(Compiled{boost::regex(expression)});
    } catch (const boost::regex_error& error) {
        throw Error("\"" + expression + "\" is not a regular expression: " + error.what());
    }
}

bool Pattern::isIn(const std::string& text, Budget& budget) const {
    const CountedCharacter begin(text.data(), budget);
    const CountedCharacter end(text.data() + text.size(), budget);
    bool takesTooLong = false;
    try {
        return boost::regex_search(begin, end, compiled_->expression);
    } catch (const Error&) {
        throw;
    } catch (const std::runtime_error&) {  // Boost bounds its memory, and steps without a look at the text
        takesTooLong = true;
    }
    if (takesTooLong) budget.exhausted();
    return false;
}

}  // namespace holos::algebra::cubepl
