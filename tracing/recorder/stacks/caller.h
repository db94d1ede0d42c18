// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/code/loaded/frame_rules.h"
#include "tracing/recorder/stacks/frame_step.h"
#include "tracing/recorder/stacks/walk/stack_walk.h"

namespace holos::tracing::stacks {

inline constexpr std::uint64_t kNothing = 0;

/// A word of the stack, and what was read there; else one that never changes.
struct ReadWord {
    const std::uint64_t* at = &kNothing;
    std::uint64_t value = kNothing;

    /// 0 while there is what was read.
    std::uint64_t change() const noexcept { return *at ^ value; }
};

/// What of the stack says who called a function: while that is unchanged, so is the caller.
struct CallerReads {
    ReadWord returnAddress;
    ReadWord pointer;  ///< the caller's `fp`

    /// 0 while both are what they were.
    std::uint64_t change() const noexcept { return returnAddress.change() | pointer.change(); }
};

/// Who called a function.
struct Caller {
    enum class Kind : std::uint8_t { Found, None, Unknown, Unusual };
    Kind kind = Kind::Unknown;
    Place place;
};

namespace detail {

inline std::uint64_t moved(std::uint64_t from, std::int64_t offset) noexcept {
    return from + static_cast<std::uint64_t>(offset);
}

inline bool read(const code::Stack& stack, std::uint64_t address, ReadWord& word) noexcept {
    if (!stack.contains(address, sizeof word.value) || address % sizeof word.value != 0) return false;
    word.at = reinterpret_cast<const std::uint64_t*>(address);  // NOLINT(performance-no-int-to-ptr)
    word.value = *word.at;
    return true;
}

}  // namespace detail

/// By the function's step. `reads` and `frame` (where the function's frame begins, if that was read) are new
/// before. Reads nothing but the stack; `Unusual`: `goToCaller` may know more. Inlined, as each event asks.
[[gnu::always_inline]] inline Caller findCaller(const Place& place, const Step& step,
                                                const code::Stack& stack, CallerReads& reads,
                                                ReadWord& frame) noexcept {
    using Kind = Caller::Kind;
    std::uint64_t begin = 0;
    std::uint64_t pointerFrom = 0;
    switch (step.kind) {
        case Step::Kind::Unknown:
            // As the dynamic linker's code that begins processes, which runs where the stack begins.
            return {stack.contains(place.sp, kLeastFrame) ? Kind::Unknown : Kind::None, {}};
        case Step::Kind::End:
            return {Kind::None, {}};
        case Step::Kind::Unusual:
            return {Kind::Unusual, {}};
        case Step::Kind::StackPointer:
            pointerFrom = begin = detail::moved(place.sp, step.frameOffset);
            break;
        case Step::Kind::FramePointer:
            pointerFrom = begin = detail::moved(place.fp, step.frameOffset);
            break;
        case Step::Kind::AtFramePointer:
            if (!detail::read(stack, detail::moved(place.fp, step.frameOffset), frame)) return {};
            begin = frame.value;
            pointerFrom = place.fp;
            break;
    }
    if (begin <= place.sp ||
        !detail::read(stack, detail::moved(begin, step.returnOffset()), reads.returnAddress))
        return {};
    std::uint64_t pointer = place.fp;
    if (step.pointerOffset != Step::kKept) {
        if (!detail::read(stack, detail::moved(pointerFrom, step.pointerOffset), reads.pointer)) return {};
        pointer = reads.pointer.value;
    }
    const std::uint64_t pc = code::withoutSignature(reads.returnAddress.value);
    return {pc != 0 ? Kind::Found : Kind::None, {pc, begin, pointer}};
}

}  // namespace holos::tracing::stacks
