// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/call_order.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace holos::analyzer::trace {
namespace {

/// The number that the text begins with, which is taken from it.
std::optional<std::uint32_t> takeNumber(std::string_view& text) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return {};
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

bool takeSign(std::string_view& text, char sign) {
    if (!text.starts_with(sign)) return false;
    text.remove_prefix(1);
    return true;
}

}  // namespace

CallOrder::CallOrder(std::string_view text) {
    const auto number = takeNumber(text);
    if (!number || !takeSign(text, ':')) return;
    while (takeSign(text, ' ')) {
        const auto first = takeNumber(text);
        const auto last = takeSign(text, '-') ? takeNumber(text) : first;
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
