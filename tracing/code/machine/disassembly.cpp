// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/machine/disassembly.h"

#include <Zydis/Zydis.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace holos::code {
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

}  // namespace holos::code
