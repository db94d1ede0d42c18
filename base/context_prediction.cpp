// SPDX-License-Identifier: BSD-3-Clause
#include "base/context_prediction.h"

namespace holos {

std::uint32_t ContextPrediction::expected(std::uint32_t region) const {
    const auto last = last_.find(region);
    return last != last_.end() ? pairs_[pairs_[last->second].next].context : kNone;
}

void ContextPrediction::follow(std::uint32_t region, std::uint32_t context) {
    if (pairs_.size() >= kMostPairs) forget();
    const auto [last, isFirst] = last_.try_emplace(region);
    noteKnown(region, isFirst, context);
    if (isFirst) {
        last->second = pairOf(region, context);
        return;
    }
    const Index before = last->second;
    Index now = pairs_[before].next;
    if (pairs_[now].context != context) now = pairOf(region, context);
    pairs_[before].next = now;
    last->second = now;
}

void ContextPrediction::noteKnown(std::uint32_t region, bool isFirst, std::uint32_t context) {
    const bool isNeverKnown = isFirst && context == kNone;
    if (isNeverKnown && region < kLookedUp) {
        if (region >= neverKnown_.size()) neverKnown_.resize(region + std::size_t{1});
        neverKnown_[region] = 1;
    } else if (context != kNone && region < neverKnown_.size()) {
        neverKnown_[region] = 0;
    }
}

/// At first followed by itself.
ContextPrediction::Index ContextPrediction::pairOf(std::uint32_t region, std::uint32_t context) {
    const auto next = static_cast<Index>(pairs_.size());
    const auto [pair, isNew] = indexes_.try_emplace(std::uint64_t{region} << 32U | context, next);
    if (isNew) pairs_.push_back({context, next});
    return pair->second;
}

void ContextPrediction::forget() {
    pairs_.clear();
    indexes_.clear();
    last_.clear();
    neverKnown_.clear();
}

}  // namespace holos
