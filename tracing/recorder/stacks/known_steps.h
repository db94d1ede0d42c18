// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>

#include "tracing/code/loaded/frame_rules.h"
#include "tracing/recorder/core/call_paths.h"
#include "tracing/recorder/stacks/program_part.h"
#include "tracing/recorder/stacks/walk/path_tree.h"
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
    constexpr std::int64_t returnOffset() const {
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

}  // namespace holos::tracing::stacks
