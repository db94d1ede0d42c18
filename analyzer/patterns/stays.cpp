// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/patterns/stays.h"

#include <algorithm>

namespace holos::analyzer::patterns {

using trace::CallKind;

std::vector<Stay> staysOf(const replay::LocationTrace& location, bool withPauses) {
    std::vector<Stay> stays;
    const auto& calls = location.messages.calls;
    for (std::uint32_t i = 0; i < calls.size(); ++i)
        if (calls[i].kind != CallKind::NotMpi) stays.push_back({calls[i].enter, calls[i].leave, i, false});
    for (std::uint32_t i = 0; i < location.polls.size(); ++i)
        if ((withPauses || !location.polls[i].isPause) && isOfMpi(location.polls[i]))
            stays.push_back({location.polls[i].begin, location.polls[i].end, i, true});
    if (!std::ranges::is_sorted(stays, {}, &Stay::enter)) std::ranges::stable_sort(stays, {}, &Stay::enter);
    for (std::size_t i = 1; i < stays.size(); ++i)
        stays[i].leave = std::max(stays[i].leave, stays[i - 1].leave);
    return stays;
}

End startOf(const replay::ReplayedTrace& trace, std::uint32_t location, const Stay& stay) {
    if (!stay.isOfPolls) return startOfCall(trace, location, stay.position);
    const replay::PollRecord& polls = trace.locations[location].polls[stay.position];
    const std::uint64_t before = polls.event == 0 ? 0 : polls.event - 1;
    return {location, polls.node, polls.slice, kNone, before, polls.begin, polls.end};
}

constexpr std::size_t kMostStays = 64;  // before the end of an operation

std::optional<Absence> longestAbsence(const replay::LocationTrace& location, const std::vector<Stay>& stays,
                                      const replay::CollectiveRecord& record) {
    if (record.beginLocation != record.location) return std::nullopt;
    const Ticks begun = location.messages.calls[record.beginCall].leave;
    std::optional<Absence> longest;
    auto behind = std::ranges::lower_bound(stays, record.end, {}, &Stay::enter);
    for (std::size_t looked = 0; behind != stays.begin() && looked < kMostStays; ++looked) {
        const Stay& back = *--behind;
        if (back.enter <= begun) break;
        const Ticks left = behind == stays.begin() ? begun : std::max(begun, (behind - 1)->leave);
        const Ticks known = longest ? longest->back.enter - longest->begin : 0;
        if (back.enter - left > known) longest = Absence{left, back};
    }
    return longest;
}

std::vector<RestlessAbsence> restlessAbsences(const replay::LocationTrace& location,
                                              const std::vector<Stay>& stays,
                                              const replay::CollectiveRecord& record) {
    std::vector<RestlessAbsence> found;
    if (record.beginLocation != record.location) return found;
    const Ticks begun = location.messages.calls[record.beginCall].leave;
    const auto end = std::ranges::lower_bound(stays, record.end, {}, &Stay::enter);
    auto one = std::ranges::upper_bound(stays.begin(), end, begun, {}, &Stay::enter);
    one = std::max(one, end - std::min<std::ptrdiff_t>(kMostStays, end - stays.begin()));
    Ticks begin = one == stays.begin() ? begun : std::max(begun, (one - 1)->leave);
    Ticks left = begin, betweenTests = 0;
    bool hasTested = false;
    for (; one != end; ++one) {
        // Behind a test that found nothing others wait in a call, which is as good as that test.
        const Ticks outside = one->enter - left;
        const Ticks sinceTest = outside * kSoon <= betweenTests ? betweenTests : outside;
        if (sinceTest > 0) found.push_back({{begin, *one}, sinceTest});
        const replay::PollRecord* const polls = one->isOfPolls ? &location.polls[one->position] : nullptr;
        const bool isTest = polls != nullptr && !polls->isPause && polls->kind == CallKind::Test;
        const bool isShort = isTest && polls->inside * kSoon <= polls->end - begin - polls->inside;
        hasTested = hasTested || isShort;
        betweenTests = isShort ? polls->between : 0;
        left = one->leave;
        if (!isShort) begin = left;
    }
    if (!hasTested) found.clear();
    return found;
}

}  // namespace holos::analyzer::patterns
