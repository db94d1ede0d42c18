// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/joined_threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "algebra/insight/summary/evidence.h"
#include "algebra/insight/summary/shared_work.h"
#include "algebra/insight/summary/words.h"
#include "base/text.h"

namespace holos::algebra {
namespace {

bool areOfDifferentProcesses(const SystemTree& system, const std::vector<Member>& threads) {
    std::set<std::size_t> processes;
    return std::ranges::all_of(threads, [&](const Member& thread) {
        return processes.insert(system[thread.locations.front()].process.index()).second;
    });
}

double sumOf(const std::vector<Member>& members) {
    double sum = 0;
    for (const Member& member : members) sum += member.value;
    return sum;
}

/// No two of them are there at once.
void tellOneAtATime(const SystemTree& system, const std::vector<Member>& threads, Problem& problem) {
    const bool isOne = areOfDifferentProcesses(system, threads);
    problem.what = isOne ? threads.size() == 1
                               ? "One thread is started, and the one that starts it waits for its end"
                               : "Processes start one thread each, and wait for its end"
                         : "Threads are started one after the other, each when the one before has ended";
    problem.remedy = isOne ? "let the one that waits do part of the work; or divide it among several threads"
                           : "start those together that do not need each other's results, and join them "
                             "afterwards";
    problem.who = threads.size() == 1
                      ? fmt::format("{} takes {}", threads.front().name, secondsText(threads.front().value))
                      : fmt::format("{} take {} in all", counted(threads.size(), "thread"),
                                    secondsText(sumOf(threads)));
    problem.pattern = isOne ? "one" : wordOf(Spread::Shape::Even);
}

/// Among threads of which some are started together, more even work cannot spare more than all of them differ
/// from what they do on average: the last one of each group does no more beyond the average of its group.
double differencesOf(const std::vector<Member>& threads) {
    const double mean = sumOf(threads) / static_cast<double>(std::max<std::size_t>(1, threads.size()));
    double sum = 0;
    for (const Member& thread : threads) sum += std::abs(thread.value - mean);
    return sum;
}

/// How much shorter groups of them are together at most if each thread of a group does as much as the others:
/// of each the last one does that beyond the average of its group. Half of what all differ from the common
/// average is beyond it, and half below.
double mostOfEvenWork(const std::vector<Member>& threads) {
    return differencesOf(threads) / 2;
}

/// They are not started at the same time.
void tellEvenWork(const std::vector<Member>& threads, Problem& problem) {
    problem.what = "Threads end at different times, although all do about as much, and others wait for them";
    problem.remedy =
        "start those together that do not need each other's results, and join them afterwards; or keep a few "
        "threads, and give these one task after the other";
    problem.who = fmt::format(
        "{} take {} on average", counted(threads.size(), "thread"),
        secondsText(sumOf(threads) / static_cast<double>(std::max<std::size_t>(1, threads.size()))));
    problem.pattern = wordOf(Spread::Shape::Even);
}

}  // namespace

std::vector<Member> joinedThreads(const Measures& measures, const WaitRule& joins, const MetricNames& work) {
    const std::vector<double> joining = measures.perLocation(joins.waits),
                              inTeams = measures.perLocation({"omp_time"});
    std::vector<Member> threads = threadMembers(measures, measures.perLocation(work));
    std::erase_if(threads, [&](const Member& thread) {
        const std::size_t at = thread.locations.front().index();
        return joining[at] > 0 || inTeams[at] > 0 || !(thread.value > 0);
    });
    return withoutLack(measures, std::move(threads));
}

double waitingWhileAllWork(const Measures& measures, const MetricNames& waits) {
    const std::vector<double> waited = measures.perLocation(waits), work = measures.perLocation({"comp"}),
                              inTeams = measures.perLocation({"omp_time"});
    double sum = 0;
    for (const CountedProcess& process : measures.processes()) {
        double all = 0, threads = 0;
        for (const LocationId thread : process.threads) {
            const std::size_t at = thread.index();
            if (thread == process.threads.front() || inTeams[at] > 0 || !(work[at] > 0)) continue;
            all += work[at];
            threads += 1;
        }
        if (threads > 1) sum += std::min(waited[process.threads.front().index()], all / threads);
    }
    return sum;
}

LateEnd lateEndOf(const Measures& measures, const std::vector<Member>& threads) {
    const std::vector<double> lives = measures.perLocation({"time"}),
                              works =
                                  withoutYields(measures, {"comp", "system_waiting", "processor_waiting"}),
                              forOthers = measures.perLocation(sleepsForOthers()),
                              atLocks = measures.perLocation(lockWaits().waits);
    LateEnd late;
    for (const CountedProcess& process : measures.processes()) {
        std::vector<std::size_t> joined;
        for (const Member& thread : threads)
            if (std::ranges::count(process.threads, thread.locations.front()) > 0)
                joined.push_back(thread.locations.front().index());
        if (joined.size() < 2) continue;
        const std::size_t last =
            *std::ranges::max_element(joined, {}, [&](std::size_t thread) { return lives[thread]; });
        const auto beyond = [&](const std::vector<double>& values) {
            double others = 0;
            for (const std::size_t thread : joined)
                if (thread != last) others += values[thread];
            return values[last] - others / static_cast<double>(joined.size() - 1);
        };
        const double work = beyond(works) - beyond(forOthers);
        late.works += work;
        late.waits += beyond(lives) - work;
        late.atLocks += beyond(atLocks);
    }
    return late;
}

LateThreads lateJoinedThreads(const Measures& measures, const std::vector<Member>& threads, bool oneAtATime,
                              const Place& place) {
    constexpr double kMostlyByWork = 0.5;
    LateThreads late{problemOf(measures, "join", place.value), {}, 0};
    Problem& problem = late.problem;
    const Spread spread = spreadOf(threads);
    problem.isOneAtATime = oneAtATime;
    const bool isWorkEven = !oneAtATime && differencesOf(threads) < kMostlyByWork * problem.cost;
    const auto tooShort = shortThreadsOf(measures);
    // The waits for what they do are a part of it.
    const bool isManaging = tooShort && measures.total("pthread_management") > 2 * tooShort->lives;
    if ((oneAtATime && isManaging) || (isWorkEven && tooShort && tooShort->areDear())) {
        // They end before the next one has begun, whether they are started together or not; or several
        // threads start and join such ones.
        problem = problemOf(measures, "short-threads", place.value);
        problem.who = tooShort->text();
        problem.pattern = wordOf(Spread::Shape::Even);
    } else if (oneAtATime) {
        tellOneAtATime(measures.experiment().system, threads, problem);
    } else if (isWorkEven) {
        tellEvenWork(threads, problem);
    } else {
        problem.who = spread.shape == Spread::Shape::Even
                          ? "now one thread ends last, now another"
                          : spreadText(spread, threads, measures.experiment());
        problem.pattern = wordOf(spread.shape);
        late.beyond = spread.theirs - spread.others;
    }
    for (const Member& thread : threads) late.longest = std::max(late.longest, thread.value);
    for (std::size_t i = 0; i < threads.size(); ++i)
        if (oneAtATime || std::ranges::count(spread.members, i) > 0)
            problem.locations.insert(problem.locations.end(), threads[i].locations.begin(),
                                     threads[i].locations.end());
    // Of two that share the work of one, each has half of it.
    problem.gain = place.value / static_cast<double>(measures.processes().size()) / (oneAtATime ? 2 : 1);
    if (isWorkEven)
        problem.gain.reset();
    else if (!oneAtATime)
        problem.gain = std::min(*problem.gain, mostOfEvenWork(threads));
    return late;
}

bool ShortThreads::areDear() const {
    constexpr double kMatters = 0.05;
    return managing >= kMatters * lives;
}

std::string ShortThreads::text() const {
    const auto all = static_cast<double>(number);
    return fmt::format("{} live for {} on average, and starting and ending one takes {}",
                       counted(number, "thread"), secondsText(lives / all), secondsText(managing / all));
}

const MetricNames& waitsInManagementOfThreads() {
    static const MetricNames names{"pthread_join_wait", "pthread_management_processor_waiting"};
    return names;
}

std::optional<ShortThreads> shortThreadsOf(const Measures& measures) {
    constexpr std::size_t kMany = 16;
    constexpr double kShortThread = 1e-3;  // seconds
    const std::vector<double> times = measures.perLocation({"time"}),
                              lacking = measures.perLocation(shortageTimes()),
                              joining = measures.perLocation({"pthread_join_wait"});
    ShortThreads threads;
    for (const CountedProcess& process : measures.processes())
        for (const LocationId thread : process.threads) {
            // One that starts others lives as long as these.
            if (thread == process.threads.front() || joining[thread.index()] > 0) continue;
            threads.lives += times[thread.index()] - lacking[thread.index()];
            ++threads.number;
        }
    threads.managing =
        std::max(0.0, measures.total("pthread_management") - measures.total(waitsInManagementOfThreads()));
    const bool areShort = threads.lives < kShortThread * static_cast<double>(threads.number);
    return threads.number >= kMany && areShort ? std::optional(threads) : std::nullopt;
}

std::string waitersText(const Measures& measures, const WaitRule& rule) {
    const std::vector<Member> threads = threadMembers(measures, measures.perLocation(rule.waits));
    const auto longest = std::ranges::max_element(threads, {}, &Member::value);
    const auto waiting =
        std::ranges::count_if(threads, [](const Member& thread) { return thread.value > 0; });
    const std::string text =
        fmt::format("{} waits {} {}", longest->name, secondsText(longest->value), rule.name);
    if (waiting < 2) return text;
    // How long is not compared: threads that nearly always sleep do not count, and may wait longer.
    return text +
           (waiting == 2 ? ", another one waits, too" : fmt::format(", {} others wait, too", waiting - 1));
}

}  // namespace holos::algebra
