// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/stacks/frame_step.h"

#include "tracing/stacks/walk/file_table.h"
#include "tracing/stacks/walk/frame_rules.h"

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
bool isAtFramePointer(ByteReader expression, bool reads, std::int64_t& offset) noexcept {
    if (expression.get<std::uint8_t>() != kRegisterWithOffset + Registers::kFramePointer) return false;
    offset = expression.getSigned();
    if (reads && expression.get<std::uint8_t>() != kDereference) return false;
    return expression.isGood() && expression.isAtEnd();
}

/// Where the frame begins; false where a step cannot say it.
bool findFrame(const FrameRules& rules, Step& step) noexcept {
    std::int64_t offset = rules.frameOffset;
    if (rules.isExpression) {
        step.kind = Step::Kind::AtFramePointer;
        if (!isAtFramePointer(rules.frameExpression, true, offset)) return false;
    } else if (rules.frameRegister == Registers::kStackPointer) {
        step.kind = Step::Kind::StackPointer;
    } else if (rules.frameRegister == Registers::kFramePointer) {
        step.kind = Step::Kind::FramePointer;
    } else {
        return false;
    }
    return fits(offset, step.frameOffset);
}

bool findPointer(const Rule& rule, Step& step) noexcept {
    const bool isRealigned = step.kind == Step::Kind::AtFramePointer;
    std::int64_t offset = rule.number;
    if (rule.kind == Rule::Kind::Same) return !isRealigned && Registers::kCallsPush;
    if (isRealigned && rule.kind == Rule::Kind::AtExpression) {
        if (!isAtFramePointer(rule.expression(), false, offset)) return false;
    } else if (isRealigned || rule.kind != Rule::Kind::AtOffset) {
        return false;
    }
    return fits(offset, step.pointerOffset) && step.pointerOffset != Step::kKept;
}

Step::Kind kindOf(const FrameRules& rules, const UnwindEntry& entry, Step& step) noexcept {
    if (entry.returnRegister != Registers::kReturnAddress) return Step::Kind::Unknown;
    const Rule& back = rules.registers[Registers::kReturnAddress];
    if (back.kind == Rule::Kind::Undefined) return Step::Kind::End;
    const bool isUsual = !entry.isSignalFrame && findFrame(rules, step) &&
                         findPointer(rules.registers[Registers::kFramePointer], step) &&
                         rules.registers[Registers::kStackPointer].kind == Rule::Kind::Same &&
                         back.kind == Rule::Kind::AtOffset && back.number == step.returnOffset();
    return isUsual ? step.kind : Step::Kind::Unusual;
}

}  // namespace

Step findStep(std::uint64_t returnAddress, bool& isLasting) noexcept {
    const FileTableUse use;
    const std::uint64_t address = returnAddress - 1;
    Step step;
    LoadedFile file;
    isLasting = findLoadedFile(address, file);
    if (!isLasting) return step;
    step.owner = ownerOf(file, address);
    UnwindEntry entry;
    FrameRules rules;
    if (findUnwindEntry(file, address, entry) && findFrameRules(entry, address, rules))
        step.kind = kindOf(rules, entry, step);
    return step;
}

}  // namespace holos::tracing::stacks
