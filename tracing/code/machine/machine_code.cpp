// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/machine/machine_code.h"

#include <Zydis/Zydis.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string_view>

#include "tracing/code/machine/aarch64_code.h"

namespace holos::code {
namespace {

bool isLinkers(Elf* elf, const GElf_Shdr& header) {
    std::size_t names = 0;
    const char* const name =
        elf_getshdrstrndx(elf, &names) == 0 ? elf_strptr(elf, names, header.sh_name) : nullptr;
    return name == nullptr || std::string_view(name).starts_with(".plt");
}

}  // namespace

CodeSections::CodeSections(Elf* elf, LinkersCode linkers) {
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
        GElf_Shdr header{};
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_PROGBITS ||
            (header.sh_flags & SHF_EXECINSTR) == 0)
            continue;
        if (linkers == LinkersCode::LeftOut && isLinkers(elf, header)) continue;
        const Elf_Data* const data = elf_rawdata(section, nullptr);
        if (data == nullptr || data->d_buf == nullptr || header.sh_addr + data->d_size < header.sh_addr)
            continue;
        sections_.push_back(
            {header.sh_addr, header.sh_addr + data->d_size, static_cast<const unsigned char*>(data->d_buf)});
    }
    std::ranges::sort(sections_, {}, &Section::begin);
}

const CodeSections::Section* CodeSections::at(std::uint64_t address) const {
    auto section = std::ranges::upper_bound(sections_, address, {}, &Section::begin);
    if (section == sections_.begin() || address >= (--section)->end) return nullptr;
    return &*section;
}

DirectCalls::DirectCalls(Elf* elf) {
    GElf_Ehdr file{};
    if (gelf_getehdr(elf, &file) == nullptr || file.e_machine != EM_X86_64) return;
    codes_ = CodeSections(elf, CodeSections::LinkersCode::LeftOut);
}

std::optional<std::uint64_t> DirectCalls::targetAt(std::uint64_t returnAddress) const {
    constexpr unsigned char kCall = 0xE8;
    std::int32_t distance = 0;
    constexpr std::uint64_t kLength = 1 + sizeof distance;
    const CodeSections::Section* const code = codes_.at(returnAddress - kLength);
    if (code == nullptr || returnAddress > code->end) return {};
    const unsigned char* const call = code->bytes + (returnAddress - kLength - code->begin);
    if (*call != kCall) return {};
    std::memcpy(&distance, call + 1, sizeof distance);
    const std::uint64_t target = returnAddress + static_cast<std::uint64_t>(std::int64_t{distance});
    if (codes_.at(target) == nullptr) return {};
    return target;
}

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

namespace {

class X86Text {
  public:
    X86Text() {
        ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
        ZydisFormatterInit(&formatter_, ZYDIS_FORMATTER_STYLE_INTEL);
        ZydisFormatterSetProperty(&formatter_, ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE);
        for (const ZydisFormatterProperty padding :
             {ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE, ZYDIS_FORMATTER_PROP_ADDR_PADDING_RELATIVE,
              ZYDIS_FORMATTER_PROP_DISP_PADDING, ZYDIS_FORMATTER_PROP_IMM_PADDING})
            ZydisFormatterSetProperty(&formatter_, padding, ZYDIS_PADDING_DISABLED);
    }

    InstructionText at(const unsigned char* bytes, std::size_t size, std::uint64_t address) const {
        InstructionText found{address, 1, "(byte)"};
        ZydisDecodedInstruction instruction;
        std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
        if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder_, bytes, size, &instruction, operands.data())))
            return found;
        found.size = instruction.length;
        std::array<char, 256> text{};
        if (ZYAN_SUCCESS(ZydisFormatterFormatInstruction(&formatter_, &instruction, operands.data(),
                                                         instruction.operand_count_visible, text.data(),
                                                         text.size(), address, nullptr)))
            found.text = text.data();
        return found;
    }

  private:
    ZydisDecoder decoder_{};
    ZydisFormatter formatter_{};
};

}  // namespace

Disassembly::Disassembly(Elf* elf) {
    GElf_Ehdr file{};
    if (gelf_getehdr(elf, &file) == nullptr || file.e_machine != EM_X86_64) return;
    isKnown_ = true;
    codes_ = CodeSections(elf, CodeSections::LinkersCode::Counts);
}

std::vector<InstructionText> Disassembly::between(std::uint64_t begin, std::uint64_t end) const {
    std::vector<InstructionText> all;
    const CodeSections::Section* const code = isKnown_ ? codes_.at(begin) : nullptr;
    if (code == nullptr) return all;
    const X86Text reader;
    end = std::min(end, code->end);
    for (std::uint64_t at = begin; at < end; at += all.back().size)
        all.push_back(reader.at(code->bytes + (at - code->begin), code->end - at, at));
    return all;
}

namespace {

using Kind = Instruction::Kind;

constexpr std::size_t kLongestOfX86 = 15;
constexpr int kMostOfStub = 4;

bool isEnd(ZydisMnemonic mnemonic) {
    return mnemonic == ZYDIS_MNEMONIC_HLT || mnemonic == ZYDIS_MNEMONIC_UD0 ||
           mnemonic == ZYDIS_MNEMONIC_UD1 || mnemonic == ZYDIS_MNEMONIC_UD2;
}

Kind kindOf(const ZydisDecodedInstruction& instruction) {
    switch (instruction.meta.category) {
        case ZYDIS_CATEGORY_CALL:
            return Kind::Call;
        case ZYDIS_CATEGORY_COND_BR:
            return Kind::Branch;
        case ZYDIS_CATEGORY_UNCOND_BR:
            return Kind::Jump;
        case ZYDIS_CATEGORY_RET:
        case ZYDIS_CATEGORY_SYSRET:
            return Kind::End;
        case ZYDIS_CATEGORY_NOP:
        case ZYDIS_CATEGORY_WIDENOP:
            return Kind::Padding;
        default:
            break;
    }
    if (instruction.mnemonic == ZYDIS_MNEMONIC_INT3) return Kind::Padding;
    return isEnd(instruction.mnemonic) ? Kind::End : Kind::Plain;
}

bool isRelative(const ZydisDecodedInstruction& instruction) {
    return instruction.raw.imm[0].size != 0 && instruction.raw.imm[0].is_relative != 0;
}

/// An operand in memory at a distance from the instruction.
bool hasFixedPlace(const ZydisDecodedInstruction& instruction) {
    constexpr unsigned kFromHere = 5;
    return (instruction.attributes & ZYDIS_ATTRIB_HAS_MODRM) != 0 && instruction.raw.modrm.mod == 0 &&
           instruction.raw.modrm.rm == kFromHere;
}

}  // namespace

MachineCode::MachineCode(Elf* elf) {
    ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    GElf_Ehdr file{};
    if (gelf_getehdr(elf, &file) == nullptr) return;
    machine_ = file.e_machine;
    codes_ = CodeSections(elf, CodeSections::LinkersCode::Counts);
}

std::optional<Instruction> MachineCode::at(std::uint64_t address) const {
    if (machine_ == EM_AARCH64) {
        const auto word = wordAt(address);
        return word ? std::optional(aarch64Instruction(*word, address)) : std::nullopt;
    }
    const CodeSections::Section* const code = machine_ == EM_X86_64 ? codes_.at(address) : nullptr;
    if (code == nullptr) return {};
    return x86At(code->bytes + (address - code->begin), code->end - address, address);
}

std::optional<Instruction> MachineCode::x86At(const unsigned char* bytes, std::size_t size,
                                              std::uint64_t address) const {
    ZydisDecodedInstruction found;
    if (!ZYAN_SUCCESS(
            ZydisDecoderDecodeInstruction(&decoder_, nullptr, bytes, std::min(size, kLongestOfX86), &found)))
        return {};
    Instruction instruction{kindOf(found), found.length, {}, {}};
    const bool leads =
        instruction.kind == Kind::Jump || instruction.kind == Kind::Branch || instruction.kind == Kind::Call;
    if (!leads) return instruction;
    const std::uint64_t next = address + found.length;
    if (isRelative(found))
        instruction.target = next + static_cast<std::uint64_t>(found.raw.imm[0].value.s);
    else if (hasFixedPlace(found))
        instruction.slot = next + static_cast<std::uint64_t>(found.raw.disp.value);
    if (instruction.kind == Kind::Jump && !instruction.target)
        instruction.kind = instruction.slot ? Kind::JumpAway : Kind::JumpAnywhere;
    return instruction;
}

Operation MachineCode::operationAt(std::uint64_t address) const {
    if (const auto word = machine_ == EM_AARCH64 ? wordAt(address) : std::nullopt)
        return aarch64Operation(*word, address);
    if (const CodeSections::Section* const code = machine_ == EM_X86_64 ? codes_.at(address) : nullptr)
        return x86Operation(decoder_, code->bytes + (address - code->begin),
                            std::min(code->end - address, std::uint64_t{kLongestOfX86}), address);
    Operation unknown;
    unknown.changed = ~std::uint32_t{0};
    unknown.changesMemory = true;
    return unknown;
}

std::optional<std::uint32_t> MachineCode::wordAt(std::uint64_t address) const {
    std::uint32_t word = 0;
    const CodeSections::Section* const code = codes_.at(address);
    if (code == nullptr || code->end - address < sizeof word) return {};
    std::memcpy(&word, code->bytes + (address - code->begin), sizeof word);
    return word;
}

std::optional<std::uint64_t> MachineCode::slotOfStub(std::uint64_t address) const {
    if (machine_ == EM_AARCH64) {
        const auto page = wordAt(address);
        const auto load = wordAt(address + kAarch64Instruction);
        return page && load ? aarch64Slot(*page, *load, address) : std::nullopt;
    }
    for (int i = 0; i < kMostOfStub; ++i) {
        const auto instruction = at(address);
        if (!instruction) return {};
        if (instruction->kind == Kind::JumpAway) return instruction->slot;
        if (instruction->kind != Kind::Plain && instruction->kind != Kind::Padding) return {};
        address += instruction->size;
    }
    return {};
}

}  // namespace holos::code
