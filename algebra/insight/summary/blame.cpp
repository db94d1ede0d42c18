// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/blame.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "algebra/insight/summary/joined_threads.h"
#include "algebra/insight/summary/rules.h"
#include "algebra/model/call_names.h"

namespace holos::algebra {
namespace {

/// Where the recorder works, which is a problem of its own.
bool isOfRecorder(const Measures& measures, CallPathId path) {
    return measures.experiment().regionOf(path).name == kFlushRegionName;
}

/// By CallPathId: how long threads had no processor there. That of a call is known of the call itself.
std::vector<double> lackedAt(const Measures& measures) {
    const std::vector<double> all = measures.perPath(shortageTimes());
    const CallTree& tree = measures.experiment().callTree;
    std::vector<double> lacked = all;
    for (const CallPathId path : tree.ids())
        if (const auto call = tree.parent(path); call && isShortage(measures, path))
            lacked[path.index()] += all[call->index()];
    return lacked;
}

/// A thread is in a critical section there, and no longer waits for it.
bool isSection(const Measures& measures, CallPathId path) {
    return measures.experiment().regionOf(path).name.starts_with("!$omp critical sblock");
}

bool hasSection(const Measures& measures, CallPathId construct) {
    return std::ranges::any_of(measures.experiment().callTree.children(construct),
                               [&](CallPathId child) { return isSection(measures, child); });
}

bool isInSection(const Measures& measures, CallPathId path) {
    std::optional<CallPathId> around = path;
    while (around && !isSection(measures, *around)) around = measures.experiment().callTree.parent(*around);
    return around.has_value();
}

/// Whether all locks are those of critical sections, of which it is known when threads are in them. `waits`:
/// by CallPathId.
bool areAllInSections(const Measures& measures, const std::vector<double>& waits) {
    return std::ranges::all_of(measures.experiment().callTree.ids(), [&](CallPathId path) {
        return !(waits[path.index()] > 0) || hasSection(measures, path);
    });
}

/// Whether a thread may have had a lock when it had no processor there: not one that still waits for it.
bool mayHoldLock(const Measures& measures, CallPathId path, const std::vector<double>& waits) {
    const auto call = measures.experiment().callTree.parent(path);
    if (!isShortage(measures, path) || !call || hasSection(measures, *call)) return false;
    const bool isConstruct = measures.experiment().regionOf(*call).name.starts_with("!$omp");
    return isConstruct || !(waits[call->index()] > 0);
}

/// By CallPathId: the part of what others wait for because a thread had no processor there that this can be.
/// Each second makes all others wait for one second at most. Causes compare what two threads did up to a
/// wait: where both did the same work, as those who take the lock of a window one after the other, all that
/// is left is who had no processor.
std::vector<double> partsOfShortage(const Measures& measures, const Delays& delays) {
    std::vector<double> parts(measures.experiment().callTree.size(), 1.0);
    const std::vector<double> lacked = lackedAt(measures), idle = measures.perPath(idleThreads().delays),
                              atLocks = lockWaitsForStarved(measures);
    const auto others = static_cast<double>(measures.threads().size()) - 1;
    for (std::size_t path = 0; path < parts.size(); ++path) {
        double waited = idle[path] + atLocks[path];
        for (const std::vector<double>& values : delays.byRule) waited += values[path];
        if (lacked[path] > 0 && waited > others * lacked[path]) parts[path] = others * lacked[path] / waited;
    }
    return parts;
}

/// Waits for the lock of a window that nobody's lack of a processor explains are for who works under it.
void giveBack(const Measures& measures, double seconds, std::size_t rule, Delays& delays) {
    constexpr double kMostly = 0.5;
    const MetricNames &locks = waitsForWindowLocks(), &waits = waitRules()[rule].waits;
    std::vector<double>& values = delays.byRule[rule];
    const double left = std::accumulate(values.begin(), values.end(), 0.0);
    const bool areForLocks = std::ranges::count(waits, std::string_view(locks.front())) > 0 &&
                             measures.total(locks) > kMostly * measures.total(waits);
    if (!areForLocks || !(left > 0)) return;
    for (double& value : values) value *= 1 + seconds / left;
}

/// Nobody is to do anything else there, where there are processors, and where nothing is recorded. By rule:
/// how much of it is waiting for those who had no processor.
std::vector<double> takeOutShortage(const Measures& measures, Delays& delays) {
    std::vector<double> starved(delays.byRule.size(), 0.0);
    if (!delays.areCauses) return starved;
    const std::vector<double> idle = measures.perPath(idleThreads().delays);
    const std::vector<double> atLocks = lockWaitsForStarved(measures);
    const std::vector<double> parts = partsOfShortage(measures, delays);
    std::vector<double> unexplained(delays.byRule.size(), 0.0);
    for (const CallPathId path : measures.experiment().callTree.ids()) {
        if (!isNotOfProgram(measures, path)) continue;
        const bool isStarved = isShortage(measures, path);
        const double part = parts[path.index()];
        if (isStarved) delays.ofShortage += part * (idle[path.index()] + atLocks[path.index()]);
        for (std::size_t rule = 0; rule < delays.byRule.size(); ++rule) {
            const double taken = std::exchange(delays.byRule[rule][path.index()], 0);
            delays.handedOn[rule][path.index()] = 0;
            if (isStarved) starved[rule] += part * taken;
            if (isStarved) unexplained[rule] += (1 - part) * taken;
        }
    }
    for (std::size_t rule = 0; rule < delays.byRule.size(); ++rule)
        giveBack(measures, unexplained[rule], rule, delays);
    delays.ofShortage += std::accumulate(starved.begin(), starved.end(), 0.0);
    return starved;
}

/// By CallPathId: what it takes there to start, end and synchronize threads, with barriers that are called
/// there.
std::vector<double> managementAt(const Measures& measures) {
    const CallTree& tree = measures.experiment().callTree;
    std::vector<double> management = measures.perPath({"omp_management"});
    const std::vector<double> barriers = measures.perPath({"omp_barrier"}),
                              waits = measures.perPath(waitsInManagementOfTeams());
    for (const CallPathId path : tree.ids())
        if (const auto caller = tree.parent(path))
            management[caller->index()] += std::max(0.0, barriers[path.index()] - waits[path.index()]);
    return management;
}

/// What threads do between the fork and their work is management, and those who wait for that wait for no
/// work; nor do those who meet at barriers that take longer than what is done between them.
void takeOutManagement(const Measures& measures, Delays& delays) {
    const auto rule = std::ranges::find_if(waitRules(), [](const WaitRule& one) {
        return std::ranges::count(one.waits, std::string_view("omp_ibarrier_wait")) > 0;
    });
    if (!delays.areCauses || !measures.find("omp_management")) return;
    const auto at = static_cast<std::size_t>(rule - waitRules().begin());
    const std::vector<double> work = measures.perPath({"comp", "system_waiting"}),
                              management = managementAt(measures);
    const auto others = static_cast<double>(measures.mostThreads() - 1);
    for (std::size_t path = 0; path < work.size(); ++path) {
        double& delay = delays.byRule[at][path];
        const double mostOfWork = others * std::max(0.0, work[path]);  // tasks may be told elsewhere
        if (management[path] <= work[path] || delay <= mostOfWork) continue;
        delays.ofManagement += delay - mostOfWork;
        delays.handedOn[at][path] *= mostOfWork / delay;
        delay = mostOfWork;
    }
}

/// Parts of waits for the end of threads in which more threads could have worked.
constexpr const char* kUnevenJoins = "pthread_join_wait_uneven";
constexpr const char* kSingleJoins = "pthread_join_wait_single";

/// Leaves `part` of the delays of a rule.
void keepPart(double part, std::size_t rule, Delays& delays) {
    for (std::vector<std::vector<double>>* const all : {&delays.byRule, &delays.handedOn})
        for (double& value : (*all)[rule]) value *= std::clamp(part, 0.0, 1.0);
}

/// Whether hardly anybody computes but those who join threads and those who are joined.
bool areAlone(const Measures& measures, const WaitRule& joins, double waited) {
    constexpr double kHardly = 0.1;
    const std::vector<double> joining = measures.perLocation(joins.waits),
                              joined = measures.perLocation(joins.delays),
                              work = measures.perLocation({"comp"});
    double others = 0;
    for (const LocationId thread : measures.threads())
        if (joining[thread.index()] <= 0 && joined[thread.index()] <= 0) others += work[thread.index()];
    return others <= kHardly * waited;
}

/// Nobody is late for threads that only sleep, and do not count.
void takeOutSleepers(const Measures& measures, Delays& delays) {
    if (!delays.areCauses) return;
    for (std::size_t rule = 0; rule < delays.byRule.size(); ++rule) {
        const MetricNames& waits = waitRules()[rule].waits;
        const bool areKnown =
            std::ranges::any_of(waits, [&](const char* name) { return measures.find(name).has_value(); });
        const std::vector<double>& values = delays.byRule[rule];
        const double all = std::accumulate(values.begin(), values.end(), 0.0);
        if (areKnown && all > 0) keepPart(measures.total(waits) / all, rule, delays);
    }
}

/// Whoever joins threads has lost nothing while they work side by side, with or without a processor.
void takeOutEvenJoins(const Measures& measures, Delays& delays) {
    const std::size_t joins = positionOfRule("join");
    const double all = measures.total(waitRules()[joins].waits);
    if (!delays.areCauses || !(all > 0)) return;
    const double uneven = measures.total(kUnevenJoins), single = measures.total(kSingleJoins);
    const bool isSingle = single > 0 && areAlone(measures, waitRules()[joins], single);
    delays.areOneAtATime = isSingle && single > uneven;
    keepPart((uneven + (isSingle ? single : 0)) / all, joins, delays);
}

/// Whoever waits for signals of threads is not missed while all of them work. Where that is longer than
/// others worked for it, they had no processor for the rest (`starved` seconds at most).
void takeOutCoordination(const Measures& measures, double starved, Delays& delays) {
    if (!delays.areCauses) return;
    const std::size_t signals = positionOfRule("signal");
    const std::vector<double>& values = delays.byRule[signals];
    const double all = std::accumulate(values.begin(), values.end(), 0.0);
    const double noLoss = waitingWhileAllWork(measures, waitRules()[signals].waits);
    if (all > 0) keepPart(1 - noLoss / all, signals, delays);
    delays.ofShortage -= std::clamp(noLoss - all, 0.0, starved);
}

}  // namespace

bool isShortage(const Measures& measures, CallPathId path) {
    return measures.experiment().regionOf(path).name == kShortageRegionName;
}

bool isNotOfProgram(const Measures& measures, CallPathId path) {
    return isShortage(measures, path) || isOfRecorder(measures, path);
}

std::vector<double> lockWaitsForStarved(const Measures& measures) {
    const MetricNames &waits = lockWaits().waits, &delays = lockWaits().delays;
    const std::vector<double> lacked = lackedAt(measures), byWaiter = measures.perLocation(waits),
                              byHolder = measures.perLocation(delays), atCalls = measures.perPath(waits);
    const auto users = static_cast<double>(std::ranges::count_if(measures.threads(), [&](LocationId thread) {
        return byWaiter[thread.index()] > 0 || byHolder[thread.index()] > 0;
    }));
    const bool areSections = areAllInSections(measures, atCalls);
    std::vector<double> starved = measures.perPath(delays);
    for (const CallPathId path : measures.experiment().callTree.ids()) {
        double& value = starved[path.index()];
        const bool mayBe =
            mayHoldLock(measures, path, atCalls) && (!areSections || isInSection(measures, path));
        value = mayBe ? std::min(value, std::max(0.0, users - 1) * lacked[path.index()]) : 0;
    }
    return starved;
}

std::size_t positionOfRule(std::string_view problem) {
    const auto rule = std::ranges::find_if(
        waitRules(), [&](const WaitRule& one) { return one.problem != nullptr && one.problem == problem; });
    return static_cast<std::size_t>(rule - waitRules().begin());
}

Delays delaysOf(const Measures& measures) {
    Delays delays;
    delays.areCauses = measures.find("delay").has_value();
    for (const WaitRule& rule : waitRules()) {
        delays.byRule.push_back(measures.perPath(delays.areCauses ? rule.delays : rule.waits));
        delays.handedOn.push_back(measures.perPath(delays.areCauses ? rule.handedOn : MetricNames{}));
    }
    takeOutSleepers(measures, delays);
    takeOutEvenJoins(measures, delays);
    const std::vector<double> starved = takeOutShortage(measures, delays);
    takeOutManagement(measures, delays);
    takeOutCoordination(measures, starved[positionOfRule("signal")], delays);
    return delays;
}

}  // namespace holos::algebra
