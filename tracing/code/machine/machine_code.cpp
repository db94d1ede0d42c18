// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/machine/machine_code.h"

#include <algorithm>
#include <cstring>

#include "tracing/code/machine/aarch64_code.h"
#include "tracing/code/machine/x86_operation.h"

namespace holos::code {
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
