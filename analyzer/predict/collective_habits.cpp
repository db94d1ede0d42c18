// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/predict/collective_habits.h"

#include <bit>

namespace holos::analyzer::predict {

/// Who stays for longer after the others have come than it was there before may have been kept by something
/// else.
std::optional<bool> CollectiveHabits::shownBy(const Stay& stay) {
    if (stay.end < stay.came) return false;
    if (stay.came > stay.begin && stay.end - stay.came < stay.came - stay.begin) return true;
    return std::nullopt;
}

void CollectiveHabits::count(const Stay& stay, Seen& seen) {
    if (const std::optional<bool> shown = shownBy(stay)) ++(*shown ? seen.stayed : seen.left);
}

void CollectiveHabits::learn(const Stay& stay) {
    count(stay, seen_[roleOf(stay)][static_cast<std::size_t>(std::bit_width(stay.bytes))]);
}

void CollectiveHabits::learn(const Stay& stay, Tree tree) {
    count(stay, seenInTrees_[{stay.operation, tree}][static_cast<std::size_t>(std::bit_width(stay.bytes))]);
}

/// What is known of the nearest size.
CollectiveHabits::Seen CollectiveHabits::nearest(const BySize& seen, std::uint64_t bytes) {
    const auto size = static_cast<std::size_t>(std::bit_width(bytes));
    Seen near;
    for (std::size_t distance = 0; distance < kSizes && !near.isAny(); ++distance)
        for (const std::size_t at : {size - distance, size + distance}) {
            if (at >= kSizes || (distance == 0 && near.isAny())) continue;
            near.stayed += seen[at].stayed;
            near.left += seen[at].left;
        }
    return near;
}

bool CollectiveHabits::waits(const Stay& stay) const {
    if (const std::optional<bool> shown = shownBy(stay)) return *shown;
    const auto known = seen_.find(roleOf(stay));
    if (known == seen_.end()) return false;
    const Seen near = nearest(known->second, stay.bytes);
    return near.stayed > near.left;
}

std::optional<Tree> CollectiveHabits::treeOf(replay::Collective operation, std::uint64_t bytes) const {
    constexpr std::uint64_t kEnough = 3;
    constexpr std::uint64_t kRare = 20;
    const auto isClear = [&](const Seen& seen) {
        return seen.stayed >= kEnough && seen.left * kRare <= seen.stayed + seen.left;
    };
    if (const auto all = seen_.find({operation, false, Whom::All}); all != seen_.end())
        if (isClear(nearest(all->second, bytes))) return std::nullopt;
    std::optional<Tree> best;
    std::uint64_t most = 0;
    for (const Tree tree : kTrees) {
        const auto known = seenInTrees_.find({operation, tree});
        if (known == seenInTrees_.end()) continue;
        const Seen near = nearest(known->second, bytes);
        if (!isClear(near) || near.stayed <= most) continue;
        best = tree;
        most = near.stayed;
    }
    return best;
}

}  // namespace holos::analyzer::predict
