// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

#include "analyzer/predict/graph.h"

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

/// Whom the members of broadcasts, scatters, gathers and reductions wait for without need, as libraries make
/// them do: it depends on how they send data of that size. Learned from the recorded run.
///
/// Thread safety: `learn` from one thread; then safe to read.
class CollectiveHabits {
  public:
    enum class Whom : std::uint8_t { Root, All };

    /// One member of an operation, and when those came whom it may have waited for.
    struct Stay {
        replay::Collective operation = replay::Collective::Barrier;
        bool isRoot = false;
        Whom whom = Whom::All;
        std::uint64_t bytes = 0;
        Ticks begin = 0;  ///< when it had come, and those whom it needs
        Ticks end = 0;
        Ticks came = 0;  ///< when the last one had come whom it does not need
    };

    void learn(const Stay& stay);
    /// Learns whom a member needs if data comes or goes by this tree.
    void learn(const Stay& stay, Tree tree);
    /// The one by which operations of about this size pass their data on: nobody left before those came whom
    /// it needs then, but in one case of twenty. Nothing where none is known, or where members wait for all.
    std::optional<Tree> treeOf(replay::Collective operation, std::uint64_t bytes) const;
    /// What this stay shows; where it shows nothing, because they had come before, what others of about that
    /// size do. Where none shows anything, it does not wait.
    bool waits(const Stay& stay) const;

  private:
    struct Seen {
        std::uint64_t stayed = 0;
        std::uint64_t left = 0;

        bool isAny() const { return stayed + left != 0; }
    };
    static constexpr std::size_t kSizes = 65;
    using BySize = std::array<Seen, kSizes>;
    using Role = std::tuple<replay::Collective, bool, Whom>;

    static Role roleOf(const Stay& stay) { return {stay.operation, stay.isRoot, stay.whom}; }
    static std::optional<bool> shownBy(const Stay& stay);
    static void count(const Stay& stay, Seen& seen);
    static Seen nearest(const BySize& seen, std::uint64_t bytes);

    std::map<Role, BySize> seen_;
    std::map<std::pair<replay::Collective, Tree>, BySize> seenInTrees_;
};

}  // namespace holos::analyzer::predict
