// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/awaited_threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "algebra/insight/summary/evidence.h"
#include "algebra/insight/summary/joined_threads.h"
#include "algebra/insight/summary/mutual_waits.h"
#include "algebra/insight/summary/words.h"

namespace holos::algebra {

namespace {

/// Who waits can do a part of what is waited for instead. With `k` who wait for `c` seconds in all, and one
/// that is waited for, each has `c / (k + 1)` more or less to do then, and nobody waits. Of sleep nothing has
/// to be done: `c / k` of it is waited for. Those who wait for each other in turn share that.
void shareAmongWaiters(const LateWorkers& workers, const CausedWaits& caused,
                       const std::vector<Member>& members, const Spread& spread, Problem& problem) {
    const Measures& measures = workers.measures();
    const double cost = workers.place().cost();
    const std::vector<double> waits = measures.perLocation(caused.rule().waits);
    const double longest = *std::ranges::max_element(waits);
    double waiters = 0, awaited = 0, both = 0, busiest = 0;
    const std::vector<double> work = measures.perLocation(workers.work(), workers.place().path());
    const auto most = std::ranges::max_element(members, {}, &Member::value);
    for (std::size_t i = 0; i < members.size(); ++i) {
        const std::size_t thread = members[i].locations.front().index();
        const bool isWaiter = waits[thread] > kAloneBelow * longest;
        const bool isAwaited = spread.members.empty() ? members[i].value > kAloneBelow * most->value
                                                      : std::ranges::count(spread.members, i) > 0;
        waiters += isWaiter ? 1 : 0;
        awaited += isAwaited ? 1 : 0;
        both += isWaiter && isAwaited ? 1 : 0;
        if (isAwaited) busiest = std::max(busiest, work[thread]);
    }
    const double sharers = isSleepAwaited(workers) ? waiters : waiters + awaited - both;
    problem.gain = cost / std::max(1.0, sharers);
    if (caused.rule().problem != nullptr && workers.place().delays().areCauses)
        problem.limit = std::max(0.0, busiest - *problem.gain / std::max(1.0, both));
}

}  // namespace

Problem awaitedThreads(const LateWorkers& workers, const CausedWaits& waits, const char* kind) {
    /// More than a sum differs from its parts by rounding, and a part that stands for all.
    constexpr double kRoundedUp = 1.001, kStandsForAll = 0.8;
    const Measures& measures = workers.measures();
    const LatePlace& place = workers.place();
    const double cost = place.cost();
    const std::vector<Member> members =
        threadMembers(measures, place.blamed(waits.position(), waits.rule().delays, place.paths()));
    const Spread spread = spreadOf(members);
    Problem problem = problemOf(measures, kind, cost);
    const auto most = std::ranges::max_element(members, {}, &Member::value);
    if (most->value > kRoundedUp * cost)  // also where other problems are
        problem.who = fmt::format("others wait most for {}", most->name);
    else if (most->value > 0)
        problem.who = fmt::format("others wait {} for {}", secondsText(most->value), most->name);
    if (most->value > 0 && most->value < kStandsForAll * cost) problem.who += ", which is most of all";
    if (kind == std::string_view("signal"))
        problem.who = waitersText(measures, waits.rule()) + (problem.who.empty() ? "" : "; ") + problem.who;
    problem.pattern = wordOf(spread.shape);
    workers.describe(spread, members, problem);
    shareAmongWaiters(workers, waits, members, spread, problem);
    if (kind == std::string_view("wake")) tellMutualWaits(measures, waits.rule().waits, members, problem);
    return problem;
}

bool isSleepAwaited(const LateWorkers& workers) {
    return workers.place().delays().areCauses && !workers.areAwake();
}

}  // namespace holos::algebra
