// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "tracing/recorder/stacks/caller.h"
#include "tracing/recorder/stacks/walk/path_tree.h"

namespace holos::tracing::stacks {

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
