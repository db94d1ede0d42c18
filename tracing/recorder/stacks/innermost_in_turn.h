// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "tracing/code/loaded/frame_rules.h"
#include "tracing/recorder/stacks/known_steps.h"
#include "tracing/recorder/stacks/walk/path_tree.h"
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

/// A function on a stack, with the path of the calls up to it.
struct KnownFunction {
    Place place;
    ReadWord frame;
    CodeOwner owner = CodeOwner::Program;
    PathNumber path = kNoPath;
};

/// The innermost functions of a stack at its last events, while those outside of them stay what they are: as
/// where a function calls MPI from several places in turn, or several functions do.
///
///     main ◀── run @5 ◀── exchange @12 ◀── MPI_Irecv
///              run @5 ◀── exchange @13 ◀── MPI_Isend
///              run @6 ◀── norm @21 ◀── MPI_Allreduce
///     outer    in turn
class InnermostInTurn {
  public:
    /// How many functions of an event at most.
    static constexpr std::size_t kMost = 4;
    struct One {
        std::size_t count = 0;
        std::array<KnownFunction, kMost> functions;
        std::array<CallerReads, kMost> reads;
    };

    void forget() noexcept { outer_ = known_ = 0; }

    /// How many functions are outside of all of them.
    std::size_t outer() const noexcept { return outer_; }

    /// A stack has `count` functions, the first `unchanged` of which are what they were at the last event.
    /// Says whether the others may be kept by `add`; where not, all are forgotten.
    bool canAdd(std::size_t unchanged, std::size_t count) noexcept {
        if (outer_ > 0 && unchanged >= outer_ && count > outer_ && count <= outer_ + kMost) return true;
        known_ = 0;
        outer_ = count >= kMost ? count - kMost + 1 : 1;
        return false;
    }

    /// Adds the functions of a whole stack.
    void add(const KnownFunction* functions, const CallerReads* reads, std::size_t count) noexcept {
        const std::size_t at = known_++ % ones_.size();
        One& one = ones_[at];
        places_[at] = functions[count - 1].place;
        one.count = count - outer_;
        std::copy(functions + outer_, functions + count, one.functions.begin());
        std::copy(reads + outer_, reads + count, one.reads.begin());
    }

    /// The ones within a place, which were called as is read now; null where there are none.
    const One* find(const Place& here) const noexcept {
        const std::size_t known = std::min(known_, ones_.size());
        for (std::size_t at = 0; at < known; ++at)
            if (places_[at] == here && isUnchanged(ones_[at])) return &ones_[at];
        return nullptr;
    }

  private:
    static bool isUnchanged(const One& one) noexcept {
        std::uint64_t change = 0;
        for (std::size_t i = 0; i < one.count; ++i)
            change |= one.reads[i].change() | one.functions[i].frame.change();
        return change == 0;
    }

    static constexpr std::size_t kRoom = 8;
    std::array<One, kRoom> ones_;
    std::array<Place, kRoom> places_;  ///< of the innermost of each, side by side to be looked through
    std::size_t known_ = 0;            ///< so many were added; the oldest make room
    std::size_t outer_ = 0;
};

}  // namespace holos::tracing::stacks
