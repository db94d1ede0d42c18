// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/lone_thread.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>

#include "algebra/insight/summary/evidence.h"
#include "algebra/insight/summary/spread.h"
#include "algebra/insight/summary/words.h"
#include "base/text.h"

namespace holos::algebra {

namespace {

/// What a thread does, or could do on a processor, and what it waits in that nobody is told to be late for.
const MetricNames kWorkOfAll{"comp", "processor_waiting"}, kComputed{"comp"};
const MetricNames kSleepOfAll{"system_waiting"};
const MetricNames kWaitsInJoins{"pthread_join_wait"};
const MetricNames kLostInJoins{"pthread_join_wait_uneven", "pthread_join_wait_single"};

/// By CallPathId: what of this is on the critical path.
std::vector<double> criticalPartOf(const MetricNames& metrics, const Measures& measures) {
    std::vector<double> critical = measures.perPath({"critical_path"});
    const std::vector<double> work = measures.perPath(metrics);
    std::ranges::transform(critical, work, critical.begin(),
                           [](double one, double other) { return std::min(one, other); });
    return critical;
}

double sumOfAll(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

std::size_t positionOfMost(const std::vector<double>& values) {
    return static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
}

}  // namespace

std::optional<LoneThread> loneThreadOf(const Measures& measures) {
    constexpr double kNearlyAll = 0.9;
    if (measures.threads().size() < 2 || !measures.find("critical_path")) return std::nullopt;
    const std::vector<double> work = measures.perLocation(kWorkOfAll);
    LoneThread lone{sumOfAll(work), std::vector<double>(work.size(), 0.0), 0};
    if (!(lone.working > 0) || sumOfAll(criticalPartOf(kWorkOfAll, measures)) < kNearlyAll * lone.working)
        return std::nullopt;
    const std::vector<double> asleep =
        without(measures.perLocation(kSleepOfAll), measures.perLocation(sleepsForOthers()));
    const std::vector<double> joins =
        without(measures.perLocation(kWaitsInJoins), measures.perLocation(kLostInJoins));
    // Others wait for the lack of a processor, too, which another problem tells.
    const double computed = measures.total(kComputed) / lone.working;
    for (const LocationId thread : measures.threads()) {
        const std::size_t at = thread.index();
        const double others = lone.working - work[at], waits = asleep[at] + joins[at];
        // What it waits while others do not work is at most the rest of the run.
        const double waited = std::clamp(waits - (measures.wall() - others), 0.0, std::min(waits, others));
        lone.waited[at] = computed * waited;
        lone.inJoins += std::min(joins[at], waited);
    }
    // Locks that let one work at a time are told themselves.
    constexpr double kHardlyAny = 0.1;
    if (measures.total(lockWaits().waits) > kHardlyAny * sumOfAll(lone.waited)) return std::nullopt;
    return lone;
}

std::optional<Problem> loneThreadProblem(const Measures& measures) {
    const auto lone = loneThreadOf(measures);
    if (!lone || measures.percent(sumOfAll(lone->waited)) < kWorthSaying) return std::nullopt;
    Problem problem = problemOf(measures, "serial", sumOfAll(lone->waited));
    const std::vector<double> critical = criticalPartOf(kComputed, measures);
    placeAt(measures, CallPathId(positionOfMost(critical)), problem);
    const bool areProcesses = measures.threads().size() == measures.processes().size();
    const auto membersOf = [&](const std::vector<double>& values) {
        return areProcesses ? processMembers(measures, values) : threadMembers(measures, values);
    };
    const std::vector<Member> workers = membersOf(measures.perLocation(kComputed)),
                              workingThere = membersOf(measures.perLocation(kComputed, problem.path)),
                              waiters = membersOf(lone->waited);
    const auto most = std::ranges::max_element(workingThere, {}, &Member::value);
    const auto works = workers.begin() + (most - workingThere.begin());
    const auto waits = std::ranges::max_element(waiters, {}, &Member::value);
    const auto waiting =
        std::ranges::count_if(waiters, [](const Member& thread) { return thread.value > 0; });
    problem.what =
        fmt::format("One {} works at a time, and others wait meanwhile", areProcesses ? "process" : "thread");
    problem.who = fmt::format("{} works {}; {} sleeps or waits for {} or more while another one works",
                              works->name, secondsText(works->value), waits->name, secondsText(waits->value));
    if (waiting > 1)
        problem.who +=
            waiting == 2 ? ", another one does so, too" : fmt::format(", {} others do so, too", waiting - 1);
    std::vector<double> slept = measures.perPath(kSleepOfAll);
    const std::vector<double> joined = measures.perPath(kWaitsInJoins);
    std::ranges::transform(slept, joined, slept.begin(), std::plus());
    problem.why = fmt::format("{} of the {} that all work are on the critical path; most is waited in {}",
                              secondsText(sumOfAll(critical)), secondsText(measures.total(kComputed)),
                              pathText(measures.experiment(), CallPathId(positionOfMost(slept))));
    problem.locations = works->locations;
    problem.gain = problem.cost / static_cast<double>(waiting + 1);
    addEvidence(measures, {"critical_path"}, "on the critical path", problem.path, kAll, problem);
    addEvidence(measures, kSleepOfAll, "sleep", std::nullopt, kAll, problem);
    addEvidence(measures, kWaitsInJoins, "waiting for the end of threads", std::nullopt, kAll, problem);
    return problem;
}

}  // namespace holos::algebra
