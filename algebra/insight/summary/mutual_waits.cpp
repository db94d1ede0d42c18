// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/mutual_waits.h"

#include <fmt/format.h>

#include <algorithm>

#include "algebra/insight/summary/words.h"

namespace holos::algebra {

void tellMutualWaits(const Measures& measures, const MetricNames& waits, const std::vector<Member>& awaited,
                     Problem& problem) {
    constexpr double kMost = 0.5, kHardlyAny = 0.1;  // who has it may have it again before others
    const std::vector<Member> waiting = threadMembers(measures, measures.perLocation(waits));
    double all = 0, mutual = 0;
    for (std::size_t i = 0; i < awaited.size(); ++i) {
        all += awaited[i].value;
        mutual += std::min(awaited[i].value, waiting[i].value);
    }
    if (!(mutual > kMost * all)) return;
    const auto longest = std::ranges::max_element(waiting, {}, &Member::value);
    const auto threads = std::ranges::count_if(
        waiting, [&](const Member& thread) { return thread.value > kHardlyAny * longest->value; });
    problem.what = "Threads wait for each other to post a semaphore or to wake them";
    problem.who =
        fmt::format("{} threads wait, {} longest: {}", threads, longest->name, secondsText(longest->value));
    problem.remedy =
        "where it is used as a lock, do less between the wait and the post, or let several pass at a time; "
        "else let each hand on earlier, in parts, what the others need";
}

}  // namespace holos::algebra
