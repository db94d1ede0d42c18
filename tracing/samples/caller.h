// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/samples/frame_rules.h"
#include "tracing/samples/frame_step.h"

namespace holos::tracing::samples {

inline constexpr std::uint64_t kNothing = 0;

/// A word of the stack, and what was read there; else one that never changes.
struct ReadWord {
    const std::uint64_t* at = &kNothing;
    std::uint64_t value = kNothing;

    bool isUnchanged() const noexcept { return *at == value; }
};

/// Who called a function, and what of the stack says so: while that is unchanged, so is the caller.
struct Caller {
    enum class Kind : std::uint8_t { Found, None, Unknown, Unusual };
    Kind kind = Kind::Unknown;
    Place place;
    ReadWord returnAddress;
    ReadWord pointer;  ///< the caller's `fp`
    ReadWord frame;    ///< where the function's frame begins
};

namespace detail {

inline std::uint64_t moved(std::uint64_t from, std::int64_t offset) noexcept {
    return from + static_cast<std::uint64_t>(offset);
}

inline bool read(const Stack& stack, std::uint64_t address, ReadWord& word) noexcept {
    if (!stack.contains(address, sizeof word.value) || address % sizeof word.value != 0) return false;
    word.at = reinterpret_cast<const std::uint64_t*>(address);  // NOLINT(performance-no-int-to-ptr)
    word.value = *word.at;
    return true;
}

}  // namespace detail

/// By the function's step. Reads nothing but the stack; `Unusual`: `goToCaller` may know more. Inlined, as
/// each event asks.
[[gnu::always_inline]] inline Caller findCaller(const Place& place, const Step& step,
                                                const Stack& stack) noexcept {
    Caller caller;
    std::uint64_t frame = 0;
    std::uint64_t pointerFrom = 0;
    switch (step.kind) {
        case Step::Kind::Unknown:
            return caller;
        case Step::Kind::End:
            caller.kind = Caller::Kind::None;
            return caller;
        case Step::Kind::Unusual:
            caller.kind = Caller::Kind::Unusual;
            return caller;
        case Step::Kind::StackPointer:
            pointerFrom = frame = detail::moved(place.sp, step.frameOffset);
            break;
        case Step::Kind::FramePointer:
            pointerFrom = frame = detail::moved(place.fp, step.frameOffset);
            break;
        case Step::Kind::AtFramePointer:
            if (!detail::read(stack, detail::moved(place.fp, step.frameOffset), caller.frame)) return caller;
            frame = caller.frame.value;
            pointerFrom = place.fp;
            break;
    }
    if (frame <= place.sp ||
        !detail::read(stack, detail::moved(frame, step.returnOffset()), caller.returnAddress))
        return caller;
    std::uint64_t pointer = place.fp;
    if (step.pointerOffset != Step::kKept) {
        if (!detail::read(stack, detail::moved(pointerFrom, step.pointerOffset), caller.pointer))
            return caller;
        pointer = caller.pointer.value;
    }
    caller.place = {withoutSignature(caller.returnAddress.value), frame, pointer};
    caller.kind = caller.place.pc != 0 ? Caller::Kind::Found : Caller::Kind::None;
    return caller;
}

}  // namespace holos::tracing::samples
