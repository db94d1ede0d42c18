// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/definitions.h"

#include <algorithm>
#include <optional>

#include "base/number.h"

namespace holos::analyzer::trace {

std::size_t FrameTree::KeyHash::operator()(const Key& key) const {
    return tripleHash(key.caller.index(), key.function.index(), key.site.index());
}

FrameId FrameTree::add(FrameId caller, RegionId function, SiteId site) {
    const std::uint32_t depth = caller == kNoFrame ? 0 : (*this)[caller].depth + 1;
    if (depth >= kDeepest) {
        isCut_ = true;
        return caller;
    }
    const auto [known, isNew] = known_.try_emplace({caller, function, site}, FrameId(frames_.size()));
    if (isNew) frames_.push_back({function, site, caller, depth});
    return known->second;
}

namespace {

bool takeSign(std::string_view& text, char sign) {
    if (!text.starts_with(sign)) return false;
    text.remove_prefix(1);
    return true;
}

}  // namespace

CallOrder::CallOrder(std::string_view text) {
    const auto number = takeLeadingNumber<std::uint32_t>(text);
    if (!number || !takeSign(text, ':')) return;
    while (takeSign(text, ' ')) {
        const auto first = takeLeadingNumber<std::uint32_t>(text);
        const auto last = takeSign(text, '-') ? takeLeadingNumber<std::uint32_t>(text) : first;
        if (!first || !last) return;
        before_.emplace_back(*first, *last);
    }
    number_ = *number;
    isKnown_ = text.empty();
}

bool CallOrder::mayComeAfter(const CallOrder& other) const {
    if (!isKnown_ || !other.isKnown_) return true;
    return std::ranges::any_of(before_, [&other](const auto& range) {
        return range.first <= other.number_ && other.number_ <= range.second;
    });
}

}  // namespace holos::analyzer::trace
