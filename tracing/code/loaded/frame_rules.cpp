// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/loaded/frame_rules.h"

namespace holos::code {
namespace {

// DW_CFA_*: those above have an operand in their lower six bits.
enum Instruction : std::uint8_t {
    kAdvance = 0x40,
    kOffset = 0x80,
    kRestore = 0xC0,
    kNothing = 0x00,
    kSetLocation = 0x01,
    kAdvance1 = 0x02,
    kAdvance2 = 0x03,
    kAdvance4 = 0x04,
    kOffsetExtended = 0x05,
    kRestoreExtended = 0x06,
    kUndefined = 0x07,
    kSameValue = 0x08,
    kRegister = 0x09,
    kRememberState = 0x0A,
    kRestoreState = 0x0B,
    kFrame = 0x0C,
    kFrameRegister = 0x0D,
    kFrameOffset = 0x0E,
    kFrameExpression = 0x0F,
    kExpression = 0x10,
    kOffsetExtendedSigned = 0x11,
    kFrameSigned = 0x12,
    kFrameOffsetSigned = 0x13,
    kValueOffset = 0x14,
    kValueOffsetSigned = 0x15,
    kValueExpression = 0x16,
    kSignature = 0x2D,  // Arm: the return address is signed from here on, or no longer
    kArgumentsSize = 0x2E,
};

class Interpreter {
  public:
    Interpreter(const UnwindEntry& entry, std::uint64_t address, FrameRules& rules)
        : entry_(entry), address_(address), place_(entry.functionBegin), rules_(rules) {}

    bool run() {
        run(entry_.common);
        initial_ = rules_.registers;
        run(entry_.own);
        return good_;
    }

  private:
    using Kind = Rule::Kind;
    static constexpr std::uint8_t kOperand = 0x3F;

    /// Up to the instructions that hold beyond the address.
    void run(ByteReader code) {
        while (good_ && !isBeyond_ && !code.isAtEnd()) {
            const auto byte = code.get<std::uint8_t>();
            const std::uint8_t operand = byte & kOperand;
            switch (byte & ~kOperand) {
                case kAdvance:
                    advance(operand);
                    break;
                case kOffset:
                    set(operand, {Kind::AtOffset, 0, unsignedOffset(code)});
                    break;
                case kRestore:
                    restore(operand);
                    break;
                default:
                    locate(byte, code);
            }
            good_ = good_ && code.isGood();
        }
    }

    void locate(std::uint8_t instruction, ByteReader& code) {
        switch (instruction) {
            case kNothing:
            case kSignature:  // removed from every return address
                return;
            case kSetLocation:
                return moveTo(code.getAddress(entry_.encoding));
            case kAdvance1:
                return advance(code.get<std::uint8_t>());
            case kAdvance2:
                return advance(code.get<std::uint16_t>());
            case kAdvance4:
                return advance(code.get<std::uint32_t>());
            case kRememberState:
                good_ = depth_ < kDeepest;
                if (good_) remembered_[depth_++] = rules_;
                return;
            case kRestoreState:
                good_ = depth_ > 0;
                if (good_) rules_ = remembered_[--depth_];
                return;
            case kArgumentsSize:
                code.getUnsigned();
                return;
            default:
                describeFrame(instruction, code);
        }
    }

    void describeFrame(std::uint8_t instruction, ByteReader& code) {
        switch (instruction) {
            case kFrame:
            case kFrameSigned:
                rules_.isExpression = false;
                rules_.frameRegister = code.getUnsigned();
                rules_.frameOffset = instruction == kFrame ? static_cast<std::int64_t>(code.getUnsigned())
                                                           : signedOffset(code);
                return;
            case kFrameRegister:
                rules_.frameRegister = code.getUnsigned();
                return;
            case kFrameOffset:
                rules_.frameOffset = static_cast<std::int64_t>(code.getUnsigned());
                return;
            case kFrameOffsetSigned:
                rules_.frameOffset = signedOffset(code);
                return;
            case kFrameExpression:
                rules_.isExpression = true;
                rules_.frameExpression = code.take(code.getUnsigned());
                return;
            default:
                describeRegister(instruction, code);
        }
    }

    void describeRegister(std::uint8_t instruction, ByteReader& code) {
        const std::uint64_t self = code.getUnsigned();
        switch (instruction) {
            case kOffsetExtended:
                return set(self, {Kind::AtOffset, 0, unsignedOffset(code)});
            case kOffsetExtendedSigned:
                return set(self, {Kind::AtOffset, 0, signedOffset(code)});
            case kValueOffset:
                return set(self, {Kind::IsOffset, 0, unsignedOffset(code)});
            case kValueOffsetSigned:
                return set(self, {Kind::IsOffset, 0, signedOffset(code)});
            case kRestoreExtended:
                return restore(self);
            case kUndefined:
                return set(self, {Kind::Undefined, 0, 0});
            case kSameValue:
                return set(self, {Kind::Same, 0, 0});
            case kRegister:
                return set(self, {Kind::Register, 0, static_cast<std::int64_t>(code.getUnsigned())});
            case kExpression:
                return set(self, expression(Kind::AtExpression, code));
            case kValueExpression:
                return set(self, expression(Kind::IsExpression, code));
            default:
                good_ = false;
        }
    }

    static Rule expression(Kind kind, ByteReader& code) {
        const auto bytes = static_cast<std::uint32_t>(code.getUnsigned());
        const unsigned char* const begin = code.at();
        code.skip(bytes);
        return {kind, bytes, reinterpret_cast<std::int64_t>(begin)};
    }

    std::int64_t unsignedOffset(ByteReader& code) const {
        return static_cast<std::int64_t>(code.getUnsigned()) * entry_.dataAlignment;
    }
    std::int64_t signedOffset(ByteReader& code) const { return code.getSigned() * entry_.dataAlignment; }

    void advance(std::uint64_t steps) { moveTo(place_ + steps * entry_.codeAlignment); }
    void moveTo(std::uint64_t place) {
        place_ = place;
        isBeyond_ = place > address_;
    }

    /// Rules of registers that are not followed (those for numbers with a point) are of no interest.
    void set(std::uint64_t self, Rule rule) {
        if (self < rules_.registers.size()) rules_.registers[self] = rule;
    }
    void restore(std::uint64_t self) {
        if (self < rules_.registers.size()) rules_.registers[self] = initial_[self];
    }

    static constexpr std::size_t kDeepest = 4;
    const UnwindEntry& entry_;
    std::uint64_t address_;
    std::uint64_t place_;
    FrameRules& rules_;
    std::array<Rule, Registers::kCount> initial_{};
    std::array<FrameRules, kDeepest> remembered_{};
    std::size_t depth_ = 0;
    bool isBeyond_ = false;
    bool good_ = true;
};

}  // namespace

Registers Registers::of(const ucontext_t& context) noexcept {
    Registers registers;
#if defined(__x86_64__)
    constexpr std::array<int, kCount> kPlaces{REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
                                              REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                              REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
    for (std::size_t i = 0; i < kCount; ++i)
        registers.values[i] = static_cast<std::uint64_t>(context.uc_mcontext.gregs[kPlaces[i]]);
#elif defined(__aarch64__)
    for (std::size_t i = 0; i < kStackPointer; ++i) registers.values[i] = context.uc_mcontext.regs[i];
    registers.values[kStackPointer] = context.uc_mcontext.sp;
    registers.values[kProgramCounter] = context.uc_mcontext.pc;
#else
    static_cast<void>(context);  // `Registers`
#endif
    return registers;
}

bool findFrameRules(const UnwindEntry& entry, std::uint64_t address, FrameRules& rules) noexcept {
    rules = {};
    return Interpreter(entry, address, rules).run();
}

}  // namespace holos::code
