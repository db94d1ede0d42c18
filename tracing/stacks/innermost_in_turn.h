// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "tracing/stacks/caller.h"
#include "tracing/stacks/walk/path_tree.h"

namespace holos::tracing::stacks {

/// A function on a stack, with the path of the calls up to it.
struct KnownFunction {
    Place place;
    ReadWord frame;
    CodeOwner owner = CodeOwner::Program;
    PathNumber path = kNoPath;
};

/// The innermost functions of a stack at its last events, while those outside of them stay what they are: as
/// where a function calls MPI from several places in turn.
///
///     main ◀── run ◀── exchange @12 ◀── MPI_Irecv
///              same    exchange @13 ◀── MPI_Isend
///                      exchange @14 ◀── MPI_Waitall
class InnermostInTurn {
  public:
    struct One {
        KnownFunction function;
        CallerReads reads;
    };

    void forget() noexcept { outer_ = count_ = 0; }

    /// Forgets those that were called by others than the first `outer` functions, which are what they were at
    /// the last event; 0: these are not, or it is not known.
    void keepThoseOf(std::size_t outer) noexcept {
        if (outer != outer_) count_ = 0;
        outer_ = outer;
    }

    void add(const KnownFunction& function, const CallerReads& reads) noexcept {
        ones_[count_++ % ones_.size()] = {function, reads};
    }

    /// The one at a place that was called as is read now; null where there is none.
    const One* find(const Place& here) const noexcept {
        const std::size_t known = std::min(count_, ones_.size());
        for (const One* one = ones_.data(); one != ones_.data() + known; ++one)
            if (one->function.place == here && (one->reads.change() | one->function.frame.change()) == 0)
                return one;
        return nullptr;
    }

  private:
    std::array<One, 8> ones_;
    std::size_t count_ = 0;  ///< so many were added; the oldest make room
    std::size_t outer_ = 0;
};

}  // namespace holos::tracing::stacks
