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

/// What a thread could do on a processor, and what it waits in that nobody is told to be late for.
const MetricNames kWork{"comp", "processor_waiting"};
const MetricNames kSleep{"system_waiting"};
const MetricNames kWoken{"futex_wait"};
const MetricNames kJoins{"pthread_join_wait"};
const MetricNames kLostJoins{"pthread_join_wait_uneven", "pthread_join_wait_single"};

std::vector<double> difference(std::vector<double> values, const std::vector<double>& less) {
    std::ranges::transform(values, less, values.begin(),
                           [](double one, double other) { return std::max(0.0, one - other); });
    return values;
}

/// By CallPathId: the work that is on the critical path.
std::vector<double> criticalWork(const Measures& measures) {
    std::vector<double> critical = measures.perPath({"critical_path"});
    const std::vector<double> work = measures.perPath(kWork);
    std::ranges::transform(critical, work, critical.begin(),
                           [](double one, double other) { return std::min(one, other); });
    return critical;
}

double sumOf(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

std::size_t mostOf(const std::vector<double>& values) {
    return static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
}

}  // namespace

std::optional<LoneThread> loneThreadOf(const Measures& measures) {
    constexpr double kNearlyAll = 0.9;
    if (measures.threads().size() < 2 || !measures.find("critical_path")) return std::nullopt;
    const std::vector<double> work = measures.perLocation(kWork);
    LoneThread lone{sumOf(work), std::vector<double>(work.size(), 0.0), 0};
    if (!(lone.working > 0) || sumOf(criticalWork(measures)) < kNearlyAll * lone.working) return std::nullopt;
    const std::vector<double> asleep = difference(measures.perLocation(kSleep), measures.perLocation(kWoken));
    const std::vector<double> joins =
        difference(measures.perLocation(kJoins), measures.perLocation(kLostJoins));
    for (const LocationId thread : measures.threads()) {
        const std::size_t at = thread.index();
        const double others = lone.working - work[at], waits = asleep[at] + joins[at];
        // What it waits while others do not work is at most the rest of the run.
        const double waited = std::clamp(waits - (measures.wall() - others), 0.0, std::min(waits, others));
        lone.waited[at] = waited;
        lone.inJoins += std::min(joins[at], waited);
    }
    return lone;
}

std::optional<Problem> loneThreadProblem(const Measures& measures) {
    const auto lone = loneThreadOf(measures);
    if (!lone || measures.percent(sumOf(lone->waited)) < kWorthSaying) return std::nullopt;
    Problem problem = problemOf(measures, "serial", sumOf(lone->waited));
    const std::vector<double> critical = criticalWork(measures);
    placeAt(measures, CallPathId(mostOf(critical)), problem);
    const bool areProcesses = measures.threads().size() == measures.processes().size();
    const auto membersOf = [&](const std::vector<double>& values) {
        return areProcesses ? processMembers(measures, values) : threadMembers(measures, values);
    };
    const std::vector<Member> workers = membersOf(measures.perLocation(kWork)),
                              waiters = membersOf(lone->waited);
    const auto works = std::ranges::max_element(workers, {}, &Member::value);
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
    std::vector<double> slept = measures.perPath(kSleep);
    const std::vector<double> joined = measures.perPath(kJoins);
    std::ranges::transform(slept, joined, slept.begin(), std::plus());
    problem.why = fmt::format("{} of the {} that all work are on the critical path; most is waited in {}",
                              secondsText(sumOf(critical)), secondsText(lone->working),
                              pathText(measures.experiment(), CallPathId(mostOf(slept))));
    problem.locations = works->locations;
    problem.gain = problem.cost / static_cast<double>(waiting + 1);
    addEvidence(measures, {"critical_path"}, "on the critical path", problem.path, kAll, problem);
    addEvidence(measures, kSleep, "sleep", std::nullopt, kAll, problem);
    addEvidence(measures, kJoins, "waiting for the end of threads", std::nullopt, kAll, problem);
    return problem;
}

}  // namespace holos::algebra
