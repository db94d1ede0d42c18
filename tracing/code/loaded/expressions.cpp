// SPDX-License-Identifier: BSD-3-Clause
// Expressions of unwind tables: those of lazily bound calls, of realigned stacks and of signal handlers.
#include "tracing/code/loaded/frame_rules.h"

namespace holos::code {
namespace {

// DW_OP_*
enum Operation : std::uint8_t {
    kDereference = 0x06,
    kConstant1 = 0x08,
    kConstant1Signed = 0x09,
    kConstant2 = 0x0A,
    kConstant2Signed = 0x0B,
    kConstant4 = 0x0C,
    kConstant4Signed = 0x0D,
    kConstant8 = 0x0E,
    kConstant8Signed = 0x0F,
    kConstant = 0x10,
    kConstantSigned = 0x11,
    kDuplicate = 0x12,
    kDrop = 0x13,
    kAnd = 0x1A,
    kMinus = 0x1C,
    kMultiply = 0x1E,
    kOr = 0x21,
    kPlus = 0x22,
    kPlusConstant = 0x23,
    kShiftLeft = 0x24,
    kShiftRight = 0x25,
    kEqual = 0x29,
    kGreaterOrEqual = 0x2A,
    kGreater = 0x2B,
    kLessOrEqual = 0x2C,
    kLess = 0x2D,
    kNotEqual = 0x2E,
    kLiteral0 = 0x30,
    kLiteral31 = 0x4F,
    kRegister0 = 0x70,
    kRegister31 = 0x8F,
};

class Evaluation {
  public:
    Evaluation(const Registers& registers, const Stack& stack) : registers_(registers), stack_(stack) {}

    bool run(ByteReader code, const std::uint64_t* first, std::uint64_t& value) {
        if (first != nullptr) push(*first);
        while (good_ && !code.isAtEnd()) {
            apply(code.get<std::uint8_t>(), code);
            good_ = good_ && code.isGood();
        }
        value = pop();
        return good_;
    }

  private:
    void push(std::uint64_t value) {
        good_ = good_ && depth_ < values_.size();
        if (good_) values_[depth_++] = value;
    }
    std::uint64_t pop() {
        good_ = good_ && depth_ > 0;
        return good_ ? values_[--depth_] : 0;
    }
    template <class Number>
    void pushSigned(Number value) {
        push(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
    }

    void apply(std::uint8_t operation, ByteReader& code) {
        if (operation >= kLiteral0 && operation <= kLiteral31) return push(operation - kLiteral0);
        if (operation >= kRegister0 && operation < kRegister0 + Registers::kCount && operation <= kRegister31)
            return push(registers_.values[operation - kRegister0] +
                        static_cast<std::uint64_t>(code.getSigned()));
        if (operation >= kConstant1 && operation <= kConstantSigned) return pushConstant(operation, code);
        switch (operation) {
            case kDereference: {
                std::uint64_t value = 0;
                good_ = stack_.read(pop(), value) && good_;
                return push(value);
            }
            case kDuplicate: {
                const std::uint64_t value = pop();
                push(value);
                return push(value);
            }
            case kDrop:
                pop();
                return;
            case kPlusConstant:
                return push(pop() + code.getUnsigned());
            default:
                combine(operation);
        }
    }

    void pushConstant(std::uint8_t operation, ByteReader& code) {
        switch (operation) {
            case kConstant1:
                return push(code.get<std::uint8_t>());
            case kConstant1Signed:
                return pushSigned(code.get<std::int8_t>());
            case kConstant2:
                return push(code.get<std::uint16_t>());
            case kConstant2Signed:
                return pushSigned(code.get<std::int16_t>());
            case kConstant4:
                return push(code.get<std::uint32_t>());
            case kConstant4Signed:
                return pushSigned(code.get<std::int32_t>());
            case kConstant8:
            case kConstant8Signed:
                return push(code.get<std::uint64_t>());
            case kConstant:
                return push(code.getUnsigned());
            default:
                return pushSigned(code.getSigned());
        }
    }

    /// Comparisons are of signed numbers.
    void combine(std::uint8_t operation) {
        const std::uint64_t right = pop();
        const std::uint64_t left = pop();
        const auto a = static_cast<std::int64_t>(left);
        const auto b = static_cast<std::int64_t>(right);
        constexpr unsigned kBits = 64;
        switch (operation) {
            case kAnd:
                return push(left & right);
            case kOr:
                return push(left | right);
            case kPlus:
                return push(left + right);
            case kMinus:
                return push(left - right);
            case kMultiply:
                return push(left * right);
            case kShiftLeft:
                return push(right < kBits ? left << right : 0);
            case kShiftRight:
                return push(right < kBits ? left >> right : 0);
            case kEqual:
                return push(a == b ? 1 : 0);
            case kNotEqual:
                return push(a != b ? 1 : 0);
            case kGreaterOrEqual:
                return push(a >= b ? 1 : 0);
            case kGreater:
                return push(a > b ? 1 : 0);
            case kLessOrEqual:
                return push(a <= b ? 1 : 0);
            case kLess:
                return push(a < b ? 1 : 0);
            default:
                good_ = false;
        }
    }

    static constexpr std::size_t kDeepest = 16;
    const Registers& registers_;
    const Stack& stack_;
    std::array<std::uint64_t, kDeepest> values_{};
    std::size_t depth_ = 0;
    bool good_ = true;
};

}  // namespace

bool evaluate(ByteReader expression, const Registers& registers, const Stack& stack,
              const std::uint64_t* first, std::uint64_t& value) noexcept {
    return Evaluation(registers, stack).run(expression, first, value);
}

}  // namespace holos::code
