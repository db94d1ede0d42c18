// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/frame_step.h"

#include "tracing/code/loaded/file_table.h"
#include "tracing/code/loaded/frame_rules.h"

namespace holos::tracing::stacks {
namespace {

constexpr std::uint8_t kRegisterWithOffset = 0x70;  // DW_OP_breg0
constexpr std::uint8_t kDereference = 0x06;         // DW_OP_deref

template <class Small>
bool fits(std::int64_t value, Small& small) noexcept {
    small = static_cast<Small>(value);
    return small == value;
}

/// Expressions "what lies at the frame pointer plus offset", and the same without reading.
bool isAtFramePointer(code::ByteReader expression, bool reads, std::int64_t& offset) noexcept {
    if (expression.get<std::uint8_t>() != kRegisterWithOffset + code::Registers::kFramePointer) return false;
    offset = expression.getSigned();
    if (reads && expression.get<std::uint8_t>() != kDereference) return false;
    return expression.isGood() && expression.isAtEnd();
}

/// Where the frame begins; false where a step cannot say it.
bool findFrame(const code::FrameRules& rules, Step& step) noexcept {
    std::int64_t offset = rules.frameOffset;
    if (rules.isExpression) {
        step.kind = Step::Kind::AtFramePointer;
        if (!isAtFramePointer(rules.frameExpression, true, offset)) return false;
    } else if (rules.frameRegister == code::Registers::kStackPointer) {
        step.kind = Step::Kind::StackPointer;
    } else if (rules.frameRegister == code::Registers::kFramePointer) {
        step.kind = Step::Kind::FramePointer;
    } else {
        return false;
    }
    return fits(offset, step.frameOffset);
}

bool findPointer(const code::Rule& rule, Step& step) noexcept {
    const bool isRealigned = step.kind == Step::Kind::AtFramePointer;
    std::int64_t offset = rule.number;
    if (rule.kind == code::Rule::Kind::Same) return !isRealigned && code::Registers::kCallsPush;
    if (isRealigned && rule.kind == code::Rule::Kind::AtExpression) {
        if (!isAtFramePointer(rule.expression(), false, offset)) return false;
    } else if (isRealigned || rule.kind != code::Rule::Kind::AtOffset) {
        return false;
    }
    return fits(offset, step.pointerOffset) && step.pointerOffset != Step::kKept;
}

Step::Kind kindOf(const code::FrameRules& rules, const code::UnwindEntry& entry, Step& step) noexcept {
    if (entry.returnRegister != code::Registers::kReturnAddress) return Step::Kind::Unknown;
    const code::Rule& back = rules.registers[code::Registers::kReturnAddress];
    if (back.kind == code::Rule::Kind::Undefined) return Step::Kind::End;
    const bool isUsual = !entry.isSignalFrame && findFrame(rules, step) &&
                         findPointer(rules.registers[code::Registers::kFramePointer], step) &&
                         rules.registers[code::Registers::kStackPointer].kind == code::Rule::Kind::Same &&
                         back.kind == code::Rule::Kind::AtOffset && back.number == step.returnOffset();
    return isUsual ? step.kind : Step::Kind::Unusual;
}

}  // namespace

Step findStep(std::uint64_t returnAddress, bool& isLasting) noexcept {
    const code::FileTableUse use;
    const std::uint64_t address = returnAddress - 1;
    Step step;
    code::LoadedFile file;
    isLasting = code::findLoadedFile(address, file);
    if (!isLasting) return step;
    step.owner = ownerOf(file, address);
    code::UnwindEntry entry;
    code::FrameRules rules;
    if (code::findUnwindEntry(file, address, entry) && code::findFrameRules(entry, address, rules))
        step.kind = kindOf(rules, entry, step);
    return step;
}

}  // namespace holos::tracing::stacks
