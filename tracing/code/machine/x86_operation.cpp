// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/machine/x86_operation.h"

#include <bit>
#include <optional>

namespace holos::code {
namespace {

using OperationKind = Operation::Kind;
using Sum = Operation::Sum;

constexpr std::uint32_t kAllOfX86 = 0xFFFF;
/// By the numbers of the processor: rbx, rsp, rbp, r12 to r15 are the caller's also after a call.
constexpr std::uint32_t kKeptByCalls = 1U << 3U | 1U << 4U | 1U << 5U | 0xF000U;

std::optional<Operation::Register> registerNumber(ZydisRegister name) {
    if (name == ZYDIS_REGISTER_AH || name == ZYDIS_REGISTER_BH || name == ZYDIS_REGISTER_CH ||
        name == ZYDIS_REGISTER_DH)
        return {};
    const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name);
    if (ZydisRegisterGetClass(whole) != ZYDIS_REGCLASS_GPR64) return {};
    return static_cast<Operation::Register>(ZydisRegisterGetId(whole));
}

std::uint64_t lowBits(std::uint64_t number, unsigned bits) {
    return bits >= 64 ? number : number & ((std::uint64_t{1} << bits) - 1);
}

/// Of one instruction.
class X86Operation {
  public:
    X86Operation(const ZydisDecodedInstruction& instruction, const ZydisDecodedOperand* operands,
                 std::uint64_t address)
        : instruction_(instruction), operands_(operands), next_(address + instruction.length) {}

    Operation find() {
        noteChanges();
        describe();
        return found_;
    }

  private:
    const ZydisDecodedOperand& first() const { return operands_[0]; }
    const ZydisDecodedOperand& second() const { return operands_[1]; }

    void noteChanges() {
        found_.keepsFlags = instruction_.cpu_flags == nullptr || instruction_.cpu_flags->modified == 0;
        for (unsigned i = 0; i < instruction_.operand_count; ++i) {
            const ZydisDecodedOperand& one = operands_[i];
            if ((one.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) == 0) continue;
            if (one.type == ZYDIS_OPERAND_TYPE_MEMORY) found_.changesMemory = true;
            if (one.type == ZYDIS_OPERAND_TYPE_REGISTER) change(one.reg.value);
        }
        if (instruction_.meta.category == ZYDIS_CATEGORY_CALL) {
            found_.changed |= kAllOfX86 & ~kKeptByCalls;
            found_.changesMemory = true;
            found_.keepsFlags = false;
        }
    }

    void change(ZydisRegister name) {
        const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name);
        if (ZydisRegisterGetClass(whole) == ZYDIS_REGCLASS_GPR64)
            found_.changed |= 1U << static_cast<unsigned>(ZydisRegisterGetId(whole));
    }

    void describe() {
        switch (instruction_.mnemonic) {
            case ZYDIS_MNEMONIC_MOV:
            case ZYDIS_MNEMONIC_MOVZX:
                return move(false);
            case ZYDIS_MNEMONIC_MOVSX:
            case ZYDIS_MNEMONIC_MOVSXD:
                return move(true);
            case ZYDIS_MNEMONIC_CDQE:
                return set({0, 0, Operation::kNone, 0, {}}, {32, true});
            case ZYDIS_MNEMONIC_LEA:
                if (const auto sum = addressOf(second())) setFirst(*sum);
                return;
            case ZYDIS_MNEMONIC_ADD:
            case ZYDIS_MNEMONIC_SUB:
            case ZYDIS_MNEMONIC_AND:
            case ZYDIS_MNEMONIC_XOR:
            case ZYDIS_MNEMONIC_SHL:
                return calculate();
            case ZYDIS_MNEMONIC_CMP:
                return compare();
            case ZYDIS_MNEMONIC_JMP:
                return jump();
            case ZYDIS_MNEMONIC_JNBE:
                found_.condition = Operation::Condition::Above;
                return;
            case ZYDIS_MNEMONIC_JNB:
                found_.condition = Operation::Condition::AboveOrEqual;
                return;
            case ZYDIS_MNEMONIC_JB:
                found_.condition = Operation::Condition::Below;
                return;
            case ZYDIS_MNEMONIC_JBE:
                found_.condition = Operation::Condition::BelowOrEqual;
                return;
            default:
                return;
        }
    }

    std::optional<Sum> registerSum(const ZydisDecodedOperand& one) const {
        if (one.type != ZYDIS_OPERAND_TYPE_REGISTER) return {};
        const auto number = registerNumber(one.reg.value);
        return number ? std::optional(Sum{0, *number, Operation::kNone, 0, {}}) : std::nullopt;
    }
    static std::optional<std::uint64_t> constantOf(const ZydisDecodedOperand& one) {
        return one.type == ZYDIS_OPERAND_TYPE_IMMEDIATE ? std::optional(one.imm.value.u) : std::nullopt;
    }
    /// Of memory; none of that of a thread.
    std::optional<Sum> addressOf(const ZydisDecodedOperand& one) const {
        if (one.type != ZYDIS_OPERAND_TYPE_MEMORY || one.mem.segment == ZYDIS_REGISTER_FS ||
            one.mem.segment == ZYDIS_REGISTER_GS || instruction_.address_width != 64)
            return {};
        Sum sum;
        sum.constant = static_cast<std::uint64_t>(one.mem.disp.value);
        if (one.mem.base == ZYDIS_REGISTER_RIP) {
            sum.constant += next_;
        } else if (one.mem.base != ZYDIS_REGISTER_NONE) {
            const auto base = registerNumber(one.mem.base);
            if (!base) return {};
            sum.base = *base;
        }
        if (one.mem.index == ZYDIS_REGISTER_NONE) return sum;
        const auto index = registerNumber(one.mem.index);
        if (!index) return {};
        sum.index = *index;
        sum.shift = static_cast<std::uint8_t>(std::countr_zero(unsigned{one.mem.scale}));
        return sum;
    }

    /// Parts of registers that are written leave the rest as it was, unless they are of 32 bits.
    void set(const Sum& sum, Operation::Part part) {
        found_.kind = OperationKind::Set;
        found_.to = 0;
        found_.sum = sum;
        found_.part = part;
    }
    void setFirst(const Sum& sum, std::optional<Operation::Part> part = {}) {
        const auto to = registerSum(first());
        if (!to || first().size < 32) return;
        set(sum, part.value_or(Operation::Part{static_cast<std::uint8_t>(first().size), false}));
        found_.to = to->base;
    }

    void move(bool isSigned) {
        if (first().type == ZYDIS_OPERAND_TYPE_MEMORY) return store();
        const Operation::Part part{static_cast<std::uint8_t>(second().size), isSigned};
        // A number with sign in 32 bits would have to be cut again.
        if (isSigned && first().size != 64) return;
        if (const auto constant = constantOf(second()))
            return setFirst({lowBits(*constant, first().size), Operation::kNone, Operation::kNone, 0, {}});
        if (const auto sum = registerSum(second())) return setFirst(*sum, part);
        const auto address = addressOf(second());
        if (!address) return;
        setFirst(*address, part);
        if (found_.kind == OperationKind::Set) found_.kind = OperationKind::Load;
    }

    void store() {
        const auto address = addressOf(first());
        if (!address) return;
        found_.kind = OperationKind::Store;
        found_.changesMemory = false;
        found_.sum = *address;
        found_.part.bits = static_cast<std::uint8_t>(first().size);
        if (const auto from = registerSum(second())) found_.from = from->base;
    }

    void calculate() {
        const auto before = registerSum(first());
        if (!before) return;
        const auto constant = constantOf(second());
        const auto other = registerSum(second());
        Sum sum = *before;
        switch (instruction_.mnemonic) {
            case ZYDIS_MNEMONIC_ADD:
                if (!constant && !other) return;
                sum.constant = constant.value_or(0);
                if (other) sum.index = other->base;
                return setFirst(sum);
            case ZYDIS_MNEMONIC_SUB:
                if (!constant) return;
                noteComparison(*before, *constant);
                sum.constant = 0 - *constant;
                return setFirst(sum);
            case ZYDIS_MNEMONIC_AND:
                // Only of the lowest bits.
                if (constant && std::has_single_bit(*constant + 1) && *constant != 0)
                    setFirst(sum,
                             Operation::Part{static_cast<std::uint8_t>(std::popcount(*constant)), false});
                return;
            case ZYDIS_MNEMONIC_XOR:
                if (other && first().reg.value == second().reg.value) setFirst({});
                return;
            default:
                if (!constant || *constant >= first().size) return;
                return setFirst(
                    {0, Operation::kNone, before->base, static_cast<std::uint8_t>(*constant), {}});
        }
    }

    void compare() {
        const auto limit = constantOf(second());
        if (!limit) return;
        if (const auto sum = registerSum(first())) return noteComparison(*sum, *limit);
        if (const auto address = addressOf(first())) {
            noteComparison(*address, *limit);
            found_.comparison->isOfMemory = true;
        }
    }
    void noteComparison(const Sum& sum, std::uint64_t limit) {
        const auto bits = static_cast<std::uint8_t>(first().size);
        found_.comparison = {false, sum, bits, lowBits(limit, bits)};
    }

    void jump() {
        if (const auto sum = registerSum(first())) {
            found_.kind = OperationKind::Jump;
            found_.sum = *sum;
        } else if (const auto address = addressOf(first())) {
            found_.kind = OperationKind::JumpThrough;
            found_.sum = *address;
        }
    }

    const ZydisDecodedInstruction& instruction_;
    const ZydisDecodedOperand* operands_;
    std::uint64_t next_;
    Operation found_;
};

}  // namespace

Operation x86Operation(const ZydisDecoder& decoder, const unsigned char* bytes, std::size_t size,
                       std::uint64_t address) {
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, size, &instruction, operands))) {
        Operation unknown;
        unknown.changed = kAllOfX86;
        unknown.changesMemory = true;
        return unknown;
    }
    return X86Operation(instruction, operands, address).find();
}

}  // namespace holos::code
