// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/awaited_threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include "algebra/insight/summary/evidence.h"
#include "algebra/insight/summary/joined_threads.h"
#include "algebra/insight/summary/mutual_waits.h"
#include "algebra/insight/summary/words.h"

namespace holos::algebra {

namespace {

/// Who is waited for: several that are alike, as where each step starts threads of its own, are told
/// of as one group, whichever of them happens to have most.
Spread awaitedOf(const std::vector<Member>& members) {
    constexpr double kAlike = 0.5;
    Spread spread = spreadOf(members);
    const bool isOfShape = spread.shape != Spread::Shape::One && spread.shape != Spread::Shape::Irregular;
    if (spread.members.empty() || (isOfShape && spread.shape != Spread::Shape::Few)) return spread;
    const auto most = std::ranges::max_element(members, {}, &Member::value);
    Spread alike;
    alike.shape = Spread::Shape::Few;
    for (std::size_t at = 0; at < members.size(); ++at) {
        const bool isAlike = members[at].value > kAlike * most->value;
        (isAlike ? alike.theirs : alike.others) += members[at].value;
        if (isAlike) alike.members.push_back(at);
    }
    if (alike.members.size() <= spread.members.size() || alike.members.size() == members.size())
        return spread;
    alike.theirs /= static_cast<double>(alike.members.size());
    alike.others /= static_cast<double>(members.size() - alike.members.size());
    return alike;
}

/// Where each step starts threads of its own, these cannot do what those of other steps do: how many there
/// are at a time, on average. Nothing where threads live for longer.
std::optional<double> threadsAtATime(const Measures& measures) {
    constexpr double kShort = 0.25, kTwo = 2;  // one that waits, and one that is waited for
    const auto number = static_cast<double>(measures.threads().size());
    const double atATime = measures.wall() > 0 ? measures.time() / measures.wall() : number;
    return atATime < kShort * number ? std::optional(std::max(kTwo, atATime)) : std::nullopt;
}

/// Who waits can do a part of what is waited for instead. With `k` who wait for `c` seconds in all, and one
/// that is waited for, each has `c / (k + 1)` more or less to do then, and nobody waits. Of sleep nothing has
/// to be done: `c / k` of it is waited for, where those who sleep are not among the `k` even if they wait,
/// too. Those who wait for each other in turn share that.
void shareAmongWaiters(const LateWorkers& workers, const CausedWaits& caused,
                       const std::vector<Member>& members, const Spread& spread, Problem& problem) {
    const Measures& measures = workers.measures();
    const double cost = workers.place().cost();
    const std::vector<double> waits = measures.perLocation(caused.rule().waits);
    const double longest = *std::ranges::max_element(waits);
    double waiters = 0, awaited = 0, both = 0, busiest = 0, done = 0;
    const std::vector<double> work = workers.place().times(workers.work(), workers.place().path());
    const auto most = std::ranges::max_element(members, {}, &Member::value);
    for (std::size_t i = 0; i < members.size(); ++i) {
        const std::size_t thread = members[i].locations.front().index();
        const bool isWaiter = waits[thread] > kAloneBelow * longest;
        const bool isAwaited = spread.members.empty() ? members[i].value > kAloneBelow * most->value
                                                      : std::ranges::count(spread.members, i) > 0;
        waiters += isWaiter ? 1 : 0;
        awaited += isAwaited ? 1 : 0;
        both += isWaiter && isAwaited ? 1 : 0;
        if (!isAwaited) continue;
        busiest = std::max(busiest, work[thread]);
        done += work[thread];
    }
    const double sharers = isSleepAwaited(workers) ? waiters - both : waiters + awaited - both;
    problem.gain = cost / std::max(1.0, sharers);
    if (const auto atATime = threadsAtATime(measures); atATime && *atATime < sharers)
        problem.gain = std::min(cost / *atATime, done * (1 - 1 / *atATime));
    if (caused.rule().problem != nullptr && workers.place().delays().areCauses)
        problem.limit = std::max(0.0, busiest - *problem.gain / std::max(1.0, both));
}

}  // namespace

Problem awaitedThreads(const LateWorkers& workers, const CausedWaits& waits, const char* kind) {
    /// More than a sum differs from its parts by rounding, and a part that stands for all.
    constexpr double kRoundedUp = 1.001, kStandsForAll = 0.8;
    constexpr std::size_t kNamed = 2;
    const Measures& measures = workers.measures();
    const LatePlace& place = workers.place();
    const double cost = place.cost();
    const std::vector<Member> members =
        threadMembers(measures, place.blamed(waits.position(), waits.rule().delays, place.paths()));
    const Spread spread = awaitedOf(members);
    Problem problem = problemOf(measures, kind, cost);
    const auto most = std::ranges::max_element(members, {}, &Member::value);
    if (spread.members.size() > kNamed)
        problem.who = fmt::format("others wait most for {} threads, {} at most for each",
                                  spread.members.size(), secondsText(std::min(most->value, cost)));
    else if (most->value > kRoundedUp * cost)  // also where other problems are
        problem.who = fmt::format("others wait most for {}", most->name);
    else if (most->value > 0)
        problem.who = fmt::format("others wait {} for {}", secondsText(most->value), most->name);
    if (spread.members.size() <= kNamed && most->value > 0 && most->value < kStandsForAll * cost)
        problem.who += ", longer than for any other one";
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
