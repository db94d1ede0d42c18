// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/machine/aarch64_code.h"

#include "tracing/code/machine/machine_code.h"

namespace holos::code {
namespace {

using Kind = Instruction::Kind;

/// Some bits of a word, from `low` on, as a signed number.
std::int64_t signedBits(std::uint32_t word, unsigned low, unsigned count) {
    return static_cast<std::int32_t>(word << (32U - low - count)) >> (32U - count);
}

bool matches(std::uint32_t word, std::uint32_t mask, std::uint32_t value) {
    return (word & mask) == value;
}

std::uint64_t instructionsFrom(std::uint64_t address, std::int64_t distance) {
    return address + static_cast<std::uint64_t>(distance * kAarch64Instruction);
}

}  // namespace

Instruction aarch64Instruction(std::uint32_t word, std::uint64_t address) {
    constexpr std::uint32_t kLong = 0xFC000000;
    constexpr std::uint32_t kConditional = 0xFF000000;  // B.cond and BC.cond
    constexpr std::uint32_t kCompareOrTest = 0x7E000000;
    constexpr std::uint32_t kRegister = 0xFE000000;
    constexpr std::uint32_t kOfRegister = 0x00600000;
    const auto to = [address](Kind kind, std::int64_t distance) {
        return Instruction{kind, kAarch64Instruction, instructionsFrom(address, distance), {}};
    };
    if (matches(word, kLong, 0x14000000)) return to(Kind::Jump, signedBits(word, 0, 26));
    if (matches(word, kLong, 0x94000000)) return to(Kind::Call, signedBits(word, 0, 26));
    if (matches(word, kConditional, 0x54000000)) return to(Kind::Branch, signedBits(word, 5, 19));
    if (matches(word, kCompareOrTest, 0x34000000)) return to(Kind::Branch, signedBits(word, 5, 19));
    if (matches(word, kCompareOrTest, 0x36000000)) return to(Kind::Branch, signedBits(word, 5, 14));
    Instruction other{Kind::Plain, kAarch64Instruction, {}, {}};
    if (matches(word, kRegister, 0xD6000000)) {  // BR, BLR, RET, ERET, with and without authentication
        const std::uint32_t operation = word & kOfRegister;
        const bool isReturn = operation != 0 && operation != 0x00200000;
        other.kind = isReturn ? Kind::End : operation == 0 ? Kind::JumpAnywhere : Kind::Call;
    } else if (word == 0xD503201F) {  // NOP
        other.kind = Kind::Padding;
    } else if (matches(word, 0xFFFF0000, 0) || matches(word, 0xFFE0001F, 0xD4200000)) {  // UDF, BRK
        other.kind = Kind::End;
    }
    return other;
}

std::optional<std::uint64_t> aarch64Slot(std::uint32_t page, std::uint32_t load, std::uint64_t address) {
    constexpr std::uint64_t kPage = 4096;
    constexpr unsigned kRegisterOfStubs = 16;
    const bool isStub = matches(page, 0x9F00001F, 0x90000000 | kRegisterOfStubs) &&
                        matches(load, 0xFFC003FF, 0xF9400000 | kRegisterOfStubs << 5U | 17U);
    if (!isStub) return {};
    const std::int64_t pages = signedBits(page, 5, 19) * 4 + (page >> 29U & 3U);
    return (address & ~(kPage - 1)) + static_cast<std::uint64_t>(pages) * kPage + (load >> 10U & 0xFFFU) * 8;
}

namespace {

using OperationKind = Operation::Kind;
using RegisterPart = Operation::Part;
using Register = Operation::Register;
using Sum = Operation::Sum;

/// The number of the stack pointer, or of the register that is always 0.
constexpr Register kLastRegister = 31;
/// x0 to x18 and x30 are not the caller's after a call.
constexpr std::uint32_t kLostByCalls = 0x4007FFFF;

std::uint32_t bitsAt(std::uint32_t word, unsigned low, unsigned count) {
    return word >> low & ((1U << count) - 1);
}

Register registerAt(std::uint32_t word, unsigned low) {
    return static_cast<Register>(bitsAt(word, low, 5));
}

/// Where the last number stands for 0.
Register orZero(Register number) {
    return number == kLastRegister ? Operation::kNone : number;
}

std::uint64_t signedBitsAt(std::uint32_t word, unsigned low, unsigned count) {
    return static_cast<std::uint64_t>(
        std::int64_t{static_cast<std::int32_t>(word << (32U - low - count)) >> (32U - count)});
}

/// Extensions of a register: how many bits, and whether with sign.
RegisterPart extension(std::uint32_t option) {
    return {static_cast<std::uint8_t>(8U << (option & 3U)), (option & 4U) != 0};
}

/// Of one instruction (Arm Architecture Reference Manual, "A64 instruction set encoding").
class Aarch64Operation {
  public:
    Aarch64Operation(std::uint32_t word, std::uint64_t address) : word_(word), address_(address) {}

    Operation find() {
        const bool isKnown =
            isHint() || isBranch() || isAddress() || isArithmetic() || isMove() || isMemory();
        if (!isKnown) changeAll();
        if (found_.to != Operation::kNone) found_.changed |= 1U << found_.to;
        return found_;
    }

  private:
    /// All registers that an instruction of any kind could name.
    void changeAll() {
        found_ = {};
        for (const unsigned low : {0U, 5U, 10U, 16U}) found_.changed |= 1U << registerAt(word_, low);
        found_.changesMemory = true;
    }
    bool isWide() const { return bitsAt(word_, 31, 1) != 0; }
    RegisterPart whole() const { return {static_cast<std::uint8_t>(isWide() ? 64 : 32), false}; }

    void set(Register to, const Sum& sum, RegisterPart part) {
        found_.keepsFlags = true;
        if (to == Operation::kNone) return;
        found_.kind = OperationKind::Set;
        found_.to = to;
        found_.sum = sum;
        found_.part = part;
    }

    /// NOP, BTI, and authentication of what x16, x17 and x30 have.
    bool isHint() {
        if (!matches(word_, 0xFFFFF01F, 0xD503201F)) return false;
        found_.changed = 1U << 16U | 1U << 17U | 1U << 30U;
        found_.keepsFlags = true;
        return true;
    }

    bool isBranch() {
        if (matches(word_, 0xFFFFFC1F, 0xD61F0000)) {  // BR
            found_.kind = OperationKind::Jump;
            found_.sum.base = registerAt(word_, 5);
            return true;
        }
        const bool isConditional = matches(word_, 0xFF000010, 0x54000000);
        if (isConditional) found_.condition = conditionOf(bitsAt(word_, 0, 4));
        const bool isCall = matches(word_, 0xFC000000, 0x94000000) || matches(word_, 0xFFFFFC1F, 0xD63F0000);
        const bool isOther = matches(word_, 0xFC000000, 0x14000000) || matches(word_, 0x7C000000, 0x34000000);
        if (isCall) found_.changed = kLostByCalls;
        found_.changesMemory = isCall;
        found_.keepsFlags = !isCall;
        return isConditional || isCall || isOther;
    }
    static Operation::Condition conditionOf(std::uint32_t number) {
        switch (number) {
            case 2:
                return Operation::Condition::AboveOrEqual;
            case 3:
                return Operation::Condition::Below;
            case 8:
                return Operation::Condition::Above;
            case 9:
                return Operation::Condition::BelowOrEqual;
            default:
                return Operation::Condition::Other;
        }
    }

    bool isAddress() {
        if (!matches(word_, 0x1F000000, 0x10000000)) return false;  // ADR, ADRP
        constexpr std::uint64_t kPage = 4096;
        const std::uint64_t distance = signedBitsAt(word_, 5, 19) * 4 + bitsAt(word_, 29, 2);
        const std::uint64_t place =
            isWide() ? (address_ & ~(kPage - 1)) + distance * kPage : address_ + distance;
        set(orZero(registerAt(word_, 0)), {place, Operation::kNone, Operation::kNone, 0, {}}, {});
        return true;
    }

    bool isArithmetic() {
        const Register to = registerAt(word_, 0);
        const Register base = registerAt(word_, 5);
        if (matches(word_, 0x1F800000, 0x11000000)) {  // ADD, SUB, SUBS with a constant
            const std::uint64_t constant = std::uint64_t{bitsAt(word_, 10, 12)} << 12U * bitsAt(word_, 22, 1);
            const bool isSub = bitsAt(word_, 30, 1) != 0;
            const bool setsFlags = bitsAt(word_, 29, 1) != 0;
            if (setsFlags && !isSub) return false;
            set(setsFlags ? orZero(to) : to, {isSub ? 0 - constant : constant, base, Operation::kNone, 0, {}},
                whole());
            found_.keepsFlags = !setsFlags;
            if (setsFlags)
                found_.comparison = {false, {0, base, Operation::kNone, 0, {}}, whole().bits, constant};
            return true;
        }
        const bool isShifted = matches(word_, 0x7FE00000, 0x0B000000);   // ADD with LSL
        const bool isExtended = matches(word_, 0x7FE00000, 0x0B200000);  // ADD with an extension
        if (!isShifted && !isExtended) return false;
        Sum sum{0, isExtended ? base : orZero(base), orZero(registerAt(word_, 16)), 0, {}};
        sum.shift = static_cast<std::uint8_t>(isExtended ? bitsAt(word_, 10, 3) : bitsAt(word_, 10, 6));
        if (isExtended) sum.part = extension(bitsAt(word_, 13, 3));
        set(isExtended ? to : orZero(to), sum, whole());
        return true;
    }

    bool isMove() {
        const Register to = orZero(registerAt(word_, 0));
        const Sum from{0, registerAt(word_, 5), Operation::kNone, 0, {}};
        if (matches(word_, 0x7FE0FFE0, 0x2A0003E0)) {  // MOV of a register
            set(to, {0, orZero(registerAt(word_, 16)), Operation::kNone, 0, {}}, whole());
        } else if (matches(word_, 0x7F800000, 0x52800000)) {  // MOVZ
            const std::uint64_t constant = std::uint64_t{bitsAt(word_, 5, 16)} << 16U * bitsAt(word_, 21, 2);
            set(to, {constant, Operation::kNone, Operation::kNone, 0, {}}, {});
        } else if (matches(word_, 0xFFFFFC00, 0x53001C00)) {  // UXTB
            set(to, from, {8, false});
        } else if (matches(word_, 0xFFFFFC00, 0x53003C00)) {  // UXTH
            set(to, from, {16, false});
        } else if (matches(word_, 0xFFFFFC00, 0x93407C00)) {  // SXTW
            set(to, from, {32, true});
        } else if (matches(word_, 0xFFFF8000, 0x12000000) ||
                   matches(word_, 0xFFFF0000, 0x92400000)) {  // AND of the lowest bits
            set(registerAt(word_, 0), from, {static_cast<std::uint8_t>(bitsAt(word_, 10, 6) + 1), false});
        } else {
            return false;
        }
        return true;
    }

    /// LDR, LDRB, LDRH, LDRSB, LDRSH, LDRSW, STR and the like, of one register without change of the address.
    bool isMemory() {
        const std::uint32_t size = bitsAt(word_, 30, 2);
        Sum sum{0, registerAt(word_, 5), Operation::kNone, 0, {}};
        if (matches(word_, 0x3F000000, 0x39000000)) {
            sum.constant = std::uint64_t{bitsAt(word_, 10, 12)} << size;
        } else if (matches(word_, 0x3F200C00, 0x38000000)) {
            sum.constant = signedBitsAt(word_, 12, 9);
        } else if (matches(word_, 0x3F200C00, 0x38200800)) {
            sum.index = orZero(registerAt(word_, 16));
            sum.part = extension(bitsAt(word_, 13, 3));
            if (bitsAt(word_, 12, 1) != 0) sum.shift = static_cast<std::uint8_t>(size);
        } else {
            return false;
        }
        const std::uint32_t operation = bitsAt(word_, 22, 2);
        if (operation == 3 || (operation == 2 && size == 3)) return false;
        found_.keepsFlags = true;
        found_.sum = sum;
        found_.part = {static_cast<std::uint8_t>(8U << size), operation == 2};
        found_.kind = operation == 0 ? OperationKind::Store : OperationKind::Load;
        const Register value = registerAt(word_, 0);
        if (operation != 0 && value == kLastRegister) found_.kind = OperationKind::Other;
        if (operation == 0)
            found_.from = orZero(value);
        else
            found_.to = orZero(value);
        return true;
    }

    std::uint32_t word_;
    std::uint64_t address_;
    Operation found_;
};

}  // namespace

Operation aarch64Operation(std::uint32_t word, std::uint64_t address) {
    return Aarch64Operation(word, address).find();
}

}  // namespace holos::code
