// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/walk/stack_walk.h"

namespace holos::tracing::stacks {
namespace {

bool frameAddress(const code::FrameRules& rules, const code::Registers& registers, const code::Stack& stack,
                  std::uint64_t& address) noexcept {
    if (rules.isExpression) return code::evaluate(rules.frameExpression, registers, stack, nullptr, address);
    if (rules.frameRegister >= code::Registers::kCount) return false;
    address = registers.values[rules.frameRegister] + static_cast<std::uint64_t>(rules.frameOffset);
    return true;
}

/// A register of the caller.
bool follow(const code::Rule& rule, std::size_t self, std::uint64_t frame, const code::Registers& registers,
            const code::Stack& stack, std::uint64_t& value) noexcept {
    const std::uint64_t moved = frame + static_cast<std::uint64_t>(rule.number);
    switch (rule.kind) {
        case code::Rule::Kind::Same:
            value = registers.values[self];
            return true;
        case code::Rule::Kind::Undefined:
            value = 0;
            return true;
        case code::Rule::Kind::AtOffset:
            return stack.read(moved, value);
        case code::Rule::Kind::IsOffset:
            value = moved;
            return true;
        case code::Rule::Kind::Register:
            if (static_cast<std::uint64_t>(rule.number) >= code::Registers::kCount) return false;
            value = registers.values[static_cast<std::size_t>(rule.number)];
            return true;
        case code::Rule::Kind::AtExpression:
            return code::evaluate(rule.expression(), registers, stack, &frame, value) &&
                   stack.read(value, value);
        case code::Rule::Kind::IsExpression:
            return code::evaluate(rule.expression(), registers, stack, &frame, value);
    }
    return false;
}

}  // namespace

bool goToCaller(code::Registers& registers, const code::Stack& stack, bool& isExact,
                std::uint64_t& frameEnd) noexcept {
    const std::uint64_t address = registers.pc() - (isExact ? 0 : 1);
    code::LoadedFile file;
    code::UnwindEntry entry;
    code::FrameRules rules;
    if (!code::findLoadedFile(address, file) || !code::findUnwindEntry(file, address, entry) ||
        !code::findFrameRules(entry, address, rules) || !frameAddress(rules, registers, stack, frameEnd) ||
        entry.returnRegister != code::Registers::kReturnAddress)
        return false;
    code::Registers caller;
    caller.values[code::Registers::kStackPointer] = frameEnd;
    for (std::size_t i = 0; i < code::Registers::kCount; ++i) {
        const bool isFrame =
            i == code::Registers::kStackPointer && rules.registers[i].kind == code::Rule::Kind::Same;
        if (!isFrame && !follow(rules.registers[i], i, frameEnd, registers, stack, caller.values[i]))
            return false;
    }
    caller.values[code::Registers::kProgramCounter] =
        code::withoutSignature(caller.values[code::Registers::kReturnAddress]);
    // Where calls do not push, the innermost function may have nothing on the stack.
    const bool mayStay = !code::Registers::kCallsPush && isExact;
    const bool isFurther = (caller.sp() > registers.sp() || (mayStay && caller.sp() == registers.sp())) &&
                           stack.contains(caller.sp(), 0);
    registers = caller;
    isExact = entry.isSignalFrame;
    return isFurther && registers.pc() != 0;
}

Walked walkStack(code::Registers registers, const code::Stack& stack, Frame* frames,
                 std::size_t most) noexcept {
    bool isExact = true;
    for (std::size_t n = 0; n < most; ++n) {
        frames[n] = {registers.pc() - (isExact ? 0 : 1), 0};
        const bool isAtBegin = !stack.contains(registers.sp(), kLeastFrame);
        if (!goToCaller(registers, stack, isExact, frames[n].end))
            return {n + 1, isAtBegin || registers.pc() == 0 ? WalkEnd::Outermost : WalkEnd::Unknown};
    }
    return {most, WalkEnd::MoreCallers};
}

}  // namespace holos::tracing::stacks
