// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/stacks/walk/stack_walk.h"

namespace holos::tracing::stacks {
namespace {

bool frameAddress(const FrameRules& rules, const Registers& registers, const Stack& stack,
                  std::uint64_t& address) noexcept {
    if (rules.isExpression) return evaluate(rules.frameExpression, registers, stack, nullptr, address);
    if (rules.frameRegister >= Registers::kCount) return false;
    address = registers.values[rules.frameRegister] + static_cast<std::uint64_t>(rules.frameOffset);
    return true;
}

/// A register of the caller.
bool follow(const Rule& rule, std::size_t self, std::uint64_t frame, const Registers& registers,
            const Stack& stack, std::uint64_t& value) noexcept {
    const std::uint64_t moved = frame + static_cast<std::uint64_t>(rule.number);
    switch (rule.kind) {
        case Rule::Kind::Same:
            value = registers.values[self];
            return true;
        case Rule::Kind::Undefined:
            value = 0;
            return true;
        case Rule::Kind::AtOffset:
            return stack.read(moved, value);
        case Rule::Kind::IsOffset:
            value = moved;
            return true;
        case Rule::Kind::Register:
            if (static_cast<std::uint64_t>(rule.number) >= Registers::kCount) return false;
            value = registers.values[static_cast<std::size_t>(rule.number)];
            return true;
        case Rule::Kind::AtExpression:
            return evaluate(rule.expression(), registers, stack, &frame, value) && stack.read(value, value);
        case Rule::Kind::IsExpression:
            return evaluate(rule.expression(), registers, stack, &frame, value);
    }
    return false;
}

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
    static_cast<void>(context);  // availability.h
#endif
    return registers;
}

bool goToCaller(Registers& registers, const Stack& stack, bool& isExact, std::uint64_t& frameEnd) noexcept {
    const std::uint64_t address = registers.pc() - (isExact ? 0 : 1);
    LoadedFile file;
    UnwindEntry entry;
    FrameRules rules;
    if (!findLoadedFile(address, file) || !findUnwindEntry(file, address, entry) ||
        !findFrameRules(entry, address, rules) || !frameAddress(rules, registers, stack, frameEnd) ||
        entry.returnRegister != Registers::kReturnAddress)
        return false;
    Registers caller;
    caller.values[Registers::kStackPointer] = frameEnd;
    for (std::size_t i = 0; i < Registers::kCount; ++i) {
        const bool isFrame = i == Registers::kStackPointer && rules.registers[i].kind == Rule::Kind::Same;
        if (!isFrame && !follow(rules.registers[i], i, frameEnd, registers, stack, caller.values[i]))
            return false;
    }
    caller.values[Registers::kProgramCounter] = withoutSignature(caller.values[Registers::kReturnAddress]);
    // Where calls do not push, the innermost function may have nothing on the stack.
    const bool mayStay = !Registers::kCallsPush && isExact;
    const bool isFurther = (caller.sp() > registers.sp() || (mayStay && caller.sp() == registers.sp())) &&
                           stack.contains(caller.sp(), 0);
    registers = caller;
    isExact = entry.isSignalFrame;
    return isFurther && registers.pc() != 0;
}

Walked walkStack(Registers registers, const Stack& stack, Frame* frames, std::size_t most) noexcept {
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
