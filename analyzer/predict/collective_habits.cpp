// SPDX-License-Identifier: BSD-3-Clause
//
//     root    ──┤ Bcast ┤────────────          it left before the other one came: it does not wait
//     root    ──┤ Bcast ··········├───         it left soon after the other one had come: it waited
//     other   ─────────────────┤ Bcast ├──
//
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

void CollectiveHabits::learn(const Stay& stay) {
    const std::optional<bool> shown = shownBy(stay);
    if (!shown) return;
    Seen& seen = seen_[roleOf(stay)][static_cast<std::size_t>(std::bit_width(stay.bytes))];
    ++(*shown ? seen.stayed : seen.left);
}

bool CollectiveHabits::waits(const Stay& stay) const {
    if (const std::optional<bool> shown = shownBy(stay)) return *shown;
    const auto known = seen_.find(roleOf(stay));
    if (known == seen_.end()) return false;
    const auto size = static_cast<std::size_t>(std::bit_width(stay.bytes));
    for (std::size_t distance = 0; distance < kSizes; ++distance) {
        Seen near;
        for (const std::size_t at : {size - distance, size + distance}) {
            if (at >= kSizes) continue;
            near.stayed += known->second[at].stayed;
            near.left += known->second[at].left;
        }
        if (near.isAny()) return near.stayed > near.left;
    }
    return false;
}

}  // namespace holos::analyzer::predict
