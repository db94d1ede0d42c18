// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/known_steps.h"

#include "tracing/code/loaded/file_table.h"

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

std::array<KnownStep, (std::size_t{1} << kKnownStepBits) + kKnownStepTries> knownSteps;

namespace {

constexpr std::uint64_t kEmpty = 0;
constexpr std::uint64_t kBeingWritten = ~std::uint64_t{0};

/// In an empty place, or else instead of what was there.
KnownStep* keep(KnownStep* const first, std::uint64_t key, Step step) noexcept {
    KnownStep* place = first;
    for (std::size_t i = 0; i < kKnownStepTries && place->key.load(std::memory_order_relaxed) != kEmpty; ++i)
        place = first + i;
    std::uint64_t before = place->key.load(std::memory_order_relaxed);
    if (before == kBeingWritten || !place->key.compare_exchange_strong(before, kBeingWritten)) return nullptr;
    place->step.store(std::bit_cast<std::uint64_t>(step), std::memory_order_release);
    place->key.store(key, std::memory_order_release);
    return place;
}

}  // namespace

Step findNewStep(std::uint64_t returnAddress, const Unloadings::Moment& now) noexcept {
    bool isLasting = false;
    const Step step = findStep(returnAddress, isLasting);
    if (!isLasting || !now.isQuiet() || unloadings.now() != now) return step;
    std::uint64_t key = keyOfStep(returnAddress, now);
    KnownStep* const kept = keep(firstKnownStep(returnAddress), key, step);
    // It must not outlive `forgetSteps`, after which this key is that of other code.
    if (kept != nullptr && unloadings.now() != now) kept->key.compare_exchange_strong(key, kEmpty);
    return step;
}

void forgetSteps() noexcept {
    for (KnownStep& step : knownSteps) step.key.store(kEmpty, std::memory_order_relaxed);
}

}  // namespace holos::tracing::stacks
