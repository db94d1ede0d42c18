// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>

namespace holos::analyzer::predict {

/// How libraries pass data between the root of a collective operation and its other members. Members are
/// counted from the root on: it is 0.
enum class Tree : std::uint8_t {
    LowBit,   ///< binomial, as in MPICH, and in reductions of Open MPI: 7 below 6 below 4 below 0
    HighBit,  ///< binomial, as in broadcasts of Open MPI: 7 below 3 below 1 below 0
    Binary    ///< 7 below 3, 8 below 3; 3 below 1 below 0
};
inline constexpr Tree kTrees[] = {Tree::LowBit, Tree::HighBit, Tree::Binary};

/// Who stands between a member and the root, next to it. Smaller than the member, which is not the root.
inline std::uint32_t parentIn(Tree tree, std::uint32_t member) {
    switch (tree) {
        case Tree::LowBit:
            return member & (member - 1);
        case Tree::HighBit:
            return member & ~std::bit_floor(member);
        case Tree::Binary:
            break;
    }
    return (member - 1) / 2;
}

}  // namespace holos::analyzer::predict
