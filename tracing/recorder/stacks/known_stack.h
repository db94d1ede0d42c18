// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>

#include "tracing/code/loaded/frame_rules.h"
#include "tracing/recorder/core/call_paths.h"
#include "tracing/recorder/stacks/program_part.h"
#include "tracing/recorder/stacks/python/mixed_stack.h"
#include "tracing/recorder/stacks/thread_stack.h"
#include "tracing/recorder/stacks/walk/path_tree.h"
#include "tracing/recorder/stacks/walk/stack_walk.h"
#include "tracing/recorder/stacks/walk/unloadings.h"

namespace holos::tracing::stacks {

using core::placeHere;

using Place = core::CodePlace;

/// The way from a function to its caller for functions as compilers usually make them, in one word: it needs
/// two registers and reads at most three words of the stack.
struct Step {
    enum class Kind : std::uint8_t {
        Unknown,         ///< tables are missing or wrong
        End,             ///< the function has no caller
        Unusual,         ///< it needs more than this: `goToCaller`
        StackPointer,    ///< the frame begins at an offset from `Place::sp`
        FramePointer,    ///< at an offset from `Place::fp`
        AtFramePointer,  ///< where it begins is stored at an offset from `Place::fp`; so is the caller's `fp`
    };
    static constexpr std::int16_t kKept = INT16_MAX;

    Kind kind = Kind::Unknown;
    CodeOwner owner = CodeOwner::Program;
    std::int16_t pointerOffset =
        kKept;  ///< of the caller's `fp` from the frame's start; `kKept`: the same `fp`
    std::int32_t frameOffset = 0;

    /// Of the return address from the frame's start.
    constexpr std::int64_t returnOffset() const noexcept {
        return code::Registers::kCallsPush ? -std::int64_t{sizeof(void*)}
                                           : pointerOffset + std::int64_t{sizeof(void*)};
    }
};
static_assert(sizeof(Step) == sizeof(std::uint64_t));

/// The step from the function behind a return address, by the unwind tables of its file; `isLasting`: as long
/// as that stays loaded. Code that is of no file may become other code at any time. Async-signal-safe.
Step findStep(std::uint64_t returnAddress, bool& isLasting) noexcept;

/// The steps that were found, by return address. Takes no lock, allocates nothing. Thread safety: safe.

/// A reader believes what it read between two equal keys. A writer changes the key first, and last.
struct KnownStep {
    std::atomic<std::uint64_t> key{0};
    std::atomic<std::uint64_t> step{0};
};
inline constexpr unsigned kKnownStepBits = 16;
inline constexpr std::size_t kKnownStepTries = 4;
extern std::array<KnownStep, (std::size_t{1} << kKnownStepBits) + kKnownStepTries> knownSteps;

/// Addresses of code have 47 bits at most. What was found before files were unloaded has another key, until
/// that was so often that keys come again (`forgetSteps`).
inline constexpr unsigned kAddressBits = 48;
inline constexpr std::uint32_t kStepKeys = 1U << (64 - kAddressBits);
inline std::uint64_t keyOfStep(std::uint64_t address, const Unloadings::Moment& moment) noexcept {
    return address | std::uint64_t{moment.unloadings()} << kAddressBits;
}

inline KnownStep* firstKnownStep(std::uint64_t address) noexcept {
    return &knownSteps[(address * 0x9E3779B97F4A7C15U) >> (64 - kKnownStepBits)];
}

/// `findStep`, and keeps what it finds.
Step findNewStep(std::uint64_t returnAddress, const Unloadings::Moment& now) noexcept;

/// Forgets all. While a file is going away, when nobody looks anything up.
void forgetSteps() noexcept;

/// `findStep`, where it was found before.
inline Step stepAt(std::uint64_t returnAddress) noexcept {
    const Unloadings::Moment now = unloadings.now();
    const std::uint64_t key = keyOfStep(returnAddress, now);
    const KnownStep* const first = firstKnownStep(returnAddress);
    for (std::size_t i = 0; now.isQuiet() && i < kKnownStepTries; ++i) {
        if (first[i].key.load(std::memory_order_acquire) != key) continue;
        const std::uint64_t step = first[i].step.load(std::memory_order_acquire);
        if (first[i].key.load(std::memory_order_relaxed) == key) return std::bit_cast<Step>(step);
    }
    return findNewStep(returnAddress, now);
}

/// What a thread found for return addresses, each in one cache line: where a program has displaced what the
/// recorder reads, each line more is a further wait for memory. Good for one moment of `Unloadings`.
class PathMemo {
  public:
    void forget() noexcept {
        steps_.forget();
        paths_.forget();
    }

    /// `stacks::stepAt`.
    Step stepAt(std::uint64_t returnAddress) noexcept {
        if (const KnownStep* const known = steps_.find({returnAddress, {}})) return known->step;
        const Step step = stacks::stepAt(returnAddress);
        // Code of no file, too, which may become other code at any time.
        if (step.kind != Step::Kind::Unknown) steps_.add({returnAddress, step});
        return step;
    }

    /// `stacks::pathBelow`.
    PathNumber pathBelow(PathNumber caller, std::uint64_t returnAddress) noexcept {
        if (const KnownPath* const known = paths_.find({returnAddress, caller, kNoPath})) return known->path;
        const PathNumber path = stacks::pathBelow(caller, returnAddress);
        if (steps_.find({returnAddress, {}}) != nullptr) paths_.add({returnAddress, caller, path});
        return path;
    }

  private:
    struct KnownStep {
        std::uint64_t returnAddress = 0;
        Step step;
        std::uint64_t place() const noexcept { return returnAddress; }
        bool isOf(const KnownStep& other) const noexcept { return returnAddress == other.returnAddress; }
    };
    struct KnownPath {
        std::uint64_t returnAddress = 0;
        PathNumber caller = kNoPath;
        PathNumber path = kNoPath;
        std::uint64_t place() const noexcept { return returnAddress + caller; }
        bool isOf(const KnownPath& other) const noexcept {
            return returnAddress == other.returnAddress && caller == other.caller;
        }
    };

    /// Of those that share a cache line the newest ones.
    template <class Known>
    class Lines {
      public:
        void forget() noexcept { lines_.fill({}); }
        const Known* find(const Known& wanted) const noexcept {
            for (const Known& known : lines_[indexOf(wanted)].newestFirst)
                if (known.isOf(wanted)) return &known;
            return nullptr;
        }
        void add(const Known& known) noexcept {
            auto& line = lines_[indexOf(known)].newestFirst;
            std::move_backward(line.begin(), line.end() - 1, line.end());
            line.front() = known;
        }

      private:
        struct alignas(64) Line {
            std::array<Known, 64 / sizeof(Known)> newestFirst;
        };
        static constexpr unsigned kBits = 7;
        static std::size_t indexOf(const Known& known) noexcept {
            return (known.place() * 0x9E3779B97F4A7C15U) >> (64 - kBits);
        }
        std::array<Line, std::size_t{1} << kBits> lines_;
    };
    Lines<KnownStep> steps_;
    Lines<KnownPath> paths_;
};

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
    std::size_t known_ = 0;            ///< how many were added; the oldest make room
    std::size_t outer_ = 0;
};

/// Which of the functions on a stack are wanted.
struct WantedPart {
    StackBound function = {};  ///< the function that it lies in is the outermost
    StackBound task = {};  ///< of an explicit task: none outside of the function that it lies in is wanted
    PathNumber creation = kNoPath;  ///< what led to those within `task`
    friend bool operator==(const WantedPart&, const WantedPart&) = default;
};

/// The functions on a thread's stack as they were at its last event, so that the next one need not find them
/// all again.
///
///     main ◀── run ◀── solve ◀── exchange      at the last event
///     main ◀── run ◀── solve ◀── norm          now: from `norm` on found anew, up to a function that is
///     where └──── compared ──────┘                   one was; from there on compared
///
/// Who called a function follows from where the function is and from at most three words of the stack. Where
/// those are what they were, its caller is where it was, and so on: what was compared is as certain as what
/// was found anew. (A function that returned and was called again from the same place looks the same.)
class KnownStack {
  public:
    /// Follows so many functions at most: 2,048 times a power of four.
    explicit KnownStack(std::size_t most = kMost) noexcept : most_(most) {}
    KnownStack(const KnownStack&) = delete;
    KnownStack& operator=(const KnownStack&) = delete;

    /// The path of the calls that led to `here`, without those of runtime systems; `kUnknownCallers` leads it
    /// where the outer ones cannot be found, `kMoreCallers` where they are more than are followed. Of more
    /// than `kMostShown` it has the outermost, `kCallsLeftOut` and the innermost. Reads no memory
    /// but that of the stack, and what Python's interpreter knows of its functions on it.
    PathNumber pathOf(const Place& here, const code::Stack& stack, const WantedPart& wanted) noexcept;

    /// The path where the same function asked last, at the same call, and nothing that led there has
    /// changed; else `kNoPath`, which says nothing. Reads of the stack what the last event read, and calls
    /// nothing.
    [[gnu::always_inline]] PathNumber pathAgain(const Place& here, const WantedPart& wanted) const noexcept {
        if (innermost_ == nullptr || innermost_->place != here) return kNoPath;
        if (unloadings.now() != moment_ || wanted != wanted_) return kNoPath;
        std::uint64_t change = 0;
        for (const CallerReads* reads = reads_ + count_; reads != reads_;) change |= (--reads)->change();
        if (hasReadFrames_) [[unlikely]]
            for (std::size_t i = 0; i < count_; ++i) change |= functions_[i].frame.change();
        return change == 0 ? innermost_->path : kNoPath;
    }

    /// The path below `root` that has the innermost function of the program alone; `root` where the program
    /// has none there, as where a thread begins. Reads nothing of the stack beyond where that one's place is
    /// told.
    PathNumber siteOf(const Place& here, const code::Stack& stack, PathNumber root) noexcept;

    /// Gives back what lies in memory of its own. Nothing is known afterwards.
    void release() noexcept;

    /// For a thread that does not come back to a call that it was in: what that call left is not used.
    void abandon() noexcept;

    /// As many functions of 256 bytes as fill a stack of 8 MB. Each event looks at all of them, which takes a
    /// nanosecond for each.
    static constexpr std::size_t kMost = std::size_t{1} << 15U;
    static constexpr std::size_t kMostShown = 256;
    static constexpr std::size_t kOutermost = 64;
    static constexpr std::size_t kInnermost = kMostShown - kOutermost;

  private:
    using Function = KnownFunction;
    bool isUnchanged(std::size_t index) const noexcept;
    std::size_t changedAmong(std::size_t known) const noexcept;
    PathNumber pathOfOneInTurn(const Place& here) noexcept;
    std::size_t skipUnchanged(std::size_t known) const noexcept;
    bool findAgain(std::size_t& known, std::size_t& fresh, Place& at) noexcept;
    Caller add(std::size_t index, const Place& place, const code::Stack& stack) noexcept;
    void move(std::size_t from, std::size_t to) noexcept;
    PathNumber join(std::size_t known, std::size_t fresh, const code::Stack& stack) noexcept;
    PathNumber extend(PathNumber path, std::size_t from, std::size_t to) noexcept;
    PathNumber shortPath() noexcept;
    std::size_t countOuter(Place at, const code::Stack& stack) const noexcept;
    bool beginMixed(const code::Stack& stack, python::Memory::Trust trust) noexcept;
    void addMixed(const Function& function, std::uint64_t end) noexcept;
    PathNumber mixedPath(const code::Stack& stack) noexcept;
    void forget() noexcept;
    bool grow(std::size_t known, std::size_t& fresh) noexcept;
    std::size_t mostInRoom() const noexcept { return room_ / 2; }
    PathNumber unusualPath(const code::Stack& stack, const WantedPart& wanted) noexcept;

    /// At first. It grows with the stack, and holds twice as many functions as are followed.
    static constexpr std::size_t kFirstRoom = 4096;
    static constexpr std::size_t kGrowth = 4;
    /// Of more functions than are followed so many are known from event to event.
    static constexpr std::size_t kMostOfMore = 2048;

    /// Not initialised, as most stacks need the smallest part of it.
    template <class T>
    union Room {
        Room() noexcept {}  // NOLINT(modernize-use-equals-default): that would be none
        std::array<T, kFirstRoom> all;
    };

    std::size_t count_ = 0;
    std::size_t leftOut_ = 0;       ///< how many more are outside of them
    std::size_t followed_ = 0;      ///< how many of the outermost have their `path`
    std::size_t shownFrom_ = 0;     ///< of a path that leaves some out, the first of the innermost,
    std::size_t shownTo_ = 0;       ///< and so many functions have theirs as `path`
    PathNumber root_ = kNoPath;     ///< what leads the path
    bool hasReadFrames_ = false;    ///< of some functions where their frames begin was read, too
    bool hasInterpreter_ = false;   ///< some functions are those of an interpreter
    WantedPart wanted_;             ///< as it was asked for
    Unloadings::Moment moment_{0};  ///< of the last event
    /// What `pathAgain` may answer with; null where it must not, as where files are being unloaded.
    const Function* innermost_ = nullptr;
    PathMemo memo_;  ///< of the same moment
    InnermostInTurn inTurn_;
    Room<Function> firstFunctions_;
    Room<CallerReads> firstReads_;
    /// The outermost first. What is found anew is written from the end on, towards the start.
    Function* functions_ = firstFunctions_.all.data();
    /// Apart from the functions, because each event looks at all of them.
    CallerReads* reads_ = firstReads_.all.data();
    std::size_t room_ = kFirstRoom;
    std::size_t most_;
    void* grown_ = nullptr;                ///< where both are since they have grown
    python::MixedStack* mixed_ = nullptr;  ///< made when it is needed
};

}  // namespace holos::tracing::stacks
