// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>

#include "tracing/stacks/caller.h"
#include "tracing/stacks/python/mixed_stack.h"
#include "tracing/stacks/walk/path_tree.h"
#include "tracing/stacks/walk/unloadings.h"

namespace holos::tracing::stacks {

/// Which of the functions on a stack are wanted.
struct WantedPart {
    std::uint64_t function =
        0;                   ///< the function that contains this address is the outermost; 0: all are wanted
    std::uint64_t task = 0;  ///< none outside of the function that contains this address is; 0: no such one
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
    /// The path of the calls that led to `here`, without those of runtime systems; `kUnknownCallers` leads it
    /// where the outer ones cannot be found, `kMoreCallers` where they are more than `kMost`. Of more than
    /// `kMostShown` it has the outermost, `kCallsLeftOut` and the innermost. Reads no memory
    /// but that of the stack, and what Python's interpreter knows of its functions on it.
    PathNumber pathOf(const Place& here, const Stack& stack, const WantedPart& wanted) noexcept;

    /// The path below `root` that has the innermost function of the program alone; `root` where the program
    /// has none there, as where a thread begins. Reads nothing of the stack beyond where that one's place is
    /// told.
    PathNumber siteOf(const Place& here, const Stack& stack, PathNumber root) noexcept;

    /// Gives back what lies in memory of its own. Nothing is known afterwards.
    void release() noexcept;

    static constexpr std::size_t kMost = 2048;
    static constexpr std::size_t kMostShown = 256;
    static constexpr std::size_t kOutermost = 64;
    static constexpr std::size_t kInnermost = kMostShown - kOutermost;

  private:
    struct Function {
        Place place;
        ReadWord frame;
        CodeOwner owner = CodeOwner::Program;
        PathNumber path = kNoPath;
    };
    bool isUnchanged(std::size_t index) const noexcept;
    std::size_t skipUnchanged(std::size_t known) const noexcept;
    bool findAgain(std::size_t& known, std::size_t& fresh, Place& at) noexcept;
    Caller add(std::size_t index, const Place& place, const Stack& stack) noexcept;
    void move(std::size_t from, std::size_t to) noexcept;
    PathNumber join(std::size_t known, std::size_t fresh, const Stack& stack) noexcept;
    PathNumber extend(PathNumber path, std::size_t from, std::size_t to) noexcept;
    PathNumber shortPath() noexcept;
    std::size_t countOuter(Place at, const Stack& stack) const noexcept;
    bool beginMixed(const Stack& stack, python::Memory::Trust trust) noexcept;
    void addMixed(const Function& function, std::uint64_t end) noexcept;
    PathNumber mixedPath(const Stack& stack) noexcept;
    void forget() noexcept;
    PathNumber unusualPath(const Stack& stack, const WantedPart& wanted) noexcept;

    static constexpr std::size_t kRoom = 2 * kMost;

    /// Not initialised, as most stacks need the smallest part of it.
    template <class T>
    union Room {
        Room() noexcept {}  // NOLINT(modernize-use-equals-default): that would be none
        std::array<T, kRoom> all;
        T& operator[](std::size_t index) noexcept { return all[index]; }
        const T& operator[](std::size_t index) const noexcept { return all[index]; }
    };

    std::size_t count_ = 0;
    std::size_t leftOut_ = 0;       ///< so many more are outside of them
    std::size_t followed_ = 0;      ///< so many of the outermost have their `path`
    PathNumber root_ = kNoPath;     ///< what leads the path
    bool hasReadFrames_ = false;    ///< of some functions where their frames begin was read, too
    bool hasInterpreter_ = false;   ///< some functions are those of an interpreter
    WantedPart wanted_;             ///< as it was asked for
    Unloadings::Moment moment_{0};  ///< of the last event
    /// The outermost first. What is found anew is written from the end on, towards the start.
    Room<Function> functions_;
    /// Apart from the functions, because each event looks at all of them.
    Room<CallerReads> reads_;
    python::MixedStack* mixed_ = nullptr;  ///< made when it is needed
};

}  // namespace holos::tracing::stacks
