// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/mutual_waits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "algebra/insight/summary/words.h"

namespace holos::algebra {

void tellMutualWaits(const Measures& measures, const MetricNames& waits, const std::vector<Member>& awaited,
                     Problem& problem) {
    constexpr double kMost = 0.5, kHardlyAny = 0.1;  // who has it may have it again before others
    const std::vector<Member> waiting = threadMembers(measures, measures.perLocation(waits));
    const auto most = std::ranges::max_element(awaited, {}, &Member::value);
    double all = 0, mutual = 0;
    const Member* longest = nullptr;
    std::size_t threads = 0;
    for (std::size_t i = 0; i < awaited.size(); ++i) {
        all += awaited[i].value;
        mutual += std::min(awaited[i].value, waiting[i].value);
        if (!(awaited[i].value > kHardlyAny * most->value)) continue;
        ++threads;
        if (longest == nullptr || waiting[i].value > longest->value) longest = &waiting[i];
    }
    if (longest == nullptr || !(mutual > kMost * all)) return;
    problem.what = "Threads wait for each other to post a semaphore or to wake them";
    // Where each has a place of its own, it is the others that wait because of it.
    if (threads == 1)
        problem.who += fmt::format("; it waits {} for others itself", secondsText(longest->value));
    else
        problem.who = fmt::format("{} threads wait and are waited for, {} waits longest: {}", threads,
                                  longest->name, secondsText(longest->value));
    problem.remedy =
        "where it is used as a lock, do less between the wait and the post, or let several pass at a time; "
        "else let each hand on earlier, in parts, what the others need";
}

}  // namespace holos::algebra
