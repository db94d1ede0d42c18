// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/summary/single_waits.h"

#include <fmt/format.h>

#include <algorithm>

#include "algebra/model/wait_files.h"
#include "algebra/summary/words.h"

namespace holos::algebra {

namespace {

/// Of what a problem costs: that makes it one event.
constexpr double kMostlyOne = 0.5;

/// What is waited at one time, by one or by several.
struct WaitMoment {
    double begin = 0;
    double end = 0;
    double seconds = 0;  ///< of all who wait
};

/// Waits that overlap are one moment; the one in which most is waited.
WaitMoment largestMoment(std::vector<WaitInstance> waits) {
    std::ranges::sort(waits, {}, &WaitInstance::begin);
    WaitMoment largest, now;
    for (const WaitInstance& wait : waits) {
        const double end = wait.begin + wait.wait;
        if (now.seconds == 0 || wait.begin >= now.end) now = {wait.begin, end, 0};
        now.end = std::max(now.end, end);
        now.seconds += wait.wait;
        if (now.seconds > largest.seconds) largest = now;
    }
    return largest;
}

bool isWaitOf(const WaitRule& rule, const std::string& metric) {
    return std::ranges::find(rule.waits, metric) != rule.waits.end();
}

}  // namespace

void doubtSingleWaits(const Measures& measures, std::vector<Problem>& problems) {
    const std::vector<WaitInstance> all = instancesOf(measures.experiment());
    if (all.empty()) return;
    for (Problem& problem : problems)
        for (const Evidence& evidence : problem.evidence) {
            const std::string& name = measures.experiment().metrics[evidence.metric].uniqueName;
            if (problem.isMistake ||
                std::ranges::none_of(waitRules(), [&](const WaitRule& rule) { return isWaitOf(rule, name); }))
                continue;
            std::vector<WaitInstance> waits;
            std::ranges::copy_if(all, std::back_inserter(waits),
                                 [&](const WaitInstance& wait) { return wait.metric == name; });
            const WaitMoment moment = largestMoment(std::move(waits));
            if (moment.seconds < kMostlyOne * problem.cost) continue;
            problem.chance = fmt::format(
                "{} of it is waited at one time, {} after the start of the run: one run cannot tell whether "
                "that happens each time; repeat it, and `holos show RUN1 RUN2 RUN3` says what recurs",
                percentText(std::min(100.0, 100 * moment.seconds / problem.cost)), secondsText(moment.begin));
        }
}

}  // namespace holos::algebra
