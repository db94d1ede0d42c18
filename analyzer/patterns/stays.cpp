// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/patterns/stays.h"

#include <algorithm>

namespace holos::analyzer::patterns {

using trace::CallKind;

std::vector<Stay> staysOf(const replay::LocationTrace& location) {
    std::vector<Stay> stays;
    const auto& calls = location.messages.calls;
    for (std::uint32_t i = 0; i < calls.size(); ++i)
        if (calls[i].kind != CallKind::NotMpi) stays.push_back({calls[i].enter, calls[i].leave, i, false});
    for (std::uint32_t i = 0; i < location.polls.size(); ++i)
        if (!location.polls[i].isPause && isOfMpi(location.polls[i]))
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

constexpr std::ptrdiff_t kMostStays = 64;  // before the end of an operation

std::vector<Absence> absencesOf(const std::vector<Stay>& stays, Ticks begin, Ticks end) {
    std::vector<Absence> found;
    auto behind = std::ranges::upper_bound(stays, end, {}, &Stay::enter);
    for (std::ptrdiff_t looked = 0; behind != stays.begin() && looked < kMostStays; ++looked) {
        const Stay& back = *--behind;
        if (back.enter <= begin) break;
        const Ticks left = behind == stays.begin() ? begin : std::max(begin, (behind - 1)->leave);
        if (back.enter > left) found.push_back({left, back, back.enter - left});
    }
    return found;
}

namespace {

/// Tests of a location, or null for other stays.
const replay::PollRecord* testsOf(const replay::LocationTrace& location, const Stay& stay) {
    if (!stay.isOfPolls || location.polls[stay.position].kind != CallKind::Test) return nullptr;
    return &location.polls[stay.position];
}

/// Whether tests take but a small part of the time from `begin` to the last of them.
bool areShort(const replay::PollRecord& tests, Ticks begin) {
    const Ticks inside = tests.inside - insideBefore(tests, begin);
    return inside * kSoon <= tests.end - begin - inside;
}

}  // namespace

RestlessAbsences restlessAbsencesOf(const replay::LocationTrace& location, const std::vector<Stay>& stays,
                                    Ticks begin, Ticks end) {
    RestlessAbsences found;
    const auto last = std::ranges::upper_bound(stays, end, {}, &Stay::enter);
    auto one = std::ranges::upper_bound(stays.begin(), last, begin, {}, &Stay::enter);
    one = std::max(one, last - std::min<std::ptrdiff_t>(kMostStays, last - stays.begin()));
    // It may be between two tests already.
    if (one != stays.begin() && (one - 1)->leave > begin && testsOf(location, *(one - 1)) != nullptr) --one;
    Ticks away = one == stays.begin() ? begin : std::max(begin, (one - 1)->leave);
    Ticks left = away, betweenTests = 0;
    for (; one != last; ++one) {
        // Behind a test that found nothing others wait in a call, which is as good as that test.
        const Ticks outside = one->enter - left;
        const Ticks sinceTest = outside * kSoon <= betweenTests ? betweenTests : outside;
        if (sinceTest > 0) found.all.push_back({away, *one, sinceTest});
        const replay::PollRecord* const tests = testsOf(location, *one);
        const bool isAway = tests != nullptr && areShort(*tests, away);
        betweenTests = isAway ? tests->between : 0;
        left = one->leave;
        if (isAway) {
            const Ticks until = one + 1 == stays.end() ? left : std::max(left, (one + 1)->enter);
            found.tests.push_back({away, one->enter, until, std::max(sinceTest, betweenTests)});
        } else {
            away = left;
        }
    }
    if (found.tests.empty()) found.all.clear();
    return found;
}

}  // namespace holos::analyzer::patterns
