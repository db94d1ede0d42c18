// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/lock_waits.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "algebra/insight/summary/blame.h"
#include "algebra/insight/summary/evidence.h"
#include "algebra/insight/summary/rules.h"
#include "algebra/insight/summary/words.h"

namespace holos::algebra {

namespace {

class LockSearch {
  public:
    explicit LockSearch(const Measures& measures)
        : measures_(measures), tree_(measures.experiment().callTree) {}

    std::vector<LockProblem> find(double least) const {
        std::vector<LockProblem> found;
        const WaitRule& rule = lockWaits();
        std::vector<double> delays = measures_.perPath(rule.delays);
        leaveOutLack(delays);
        const auto holder = mostDelaying(delays);
        std::vector<double> waits = measures_.perPath(rule.waits);
        const double starved = partOfStarvedHolders(waits);
        for (double& value : waits) value *= 1 - starved;
        joinPausesToTests(waits);
        const double all = std::accumulate(waits.begin(), waits.end(), 0.0);
        for (const Place& place : placesOf(tree_, waits, least)) {
            Problem problem = problemOf(measures_, "lock", place.value);
            const bool isHolder = holder && isMostlyFor(delays[holder->index()], place.value, all);
            placeAt(measures_, place.path, problem);
            const bool areTests = isPauseBetweenTests(place.path);
            describeWaiters(measures_, rule.waits, place.path, problem);
            if (isHolder) {
                problem.isSleep = isMostlySleep(*holder);
                problem.why = fmt::format("its holder {} in {}", problem.isSleep ? "sleeps" : "is",
                                          pathText(measures_.experiment(), *holder));
            }
            constexpr double kWorthTelling = 0.01;
            if (starved > kWorthTelling)
                problem.why += fmt::format(
                    "{}in about {} of the waiting for locks the holder had no processor: that part is not "
                    "counted here",
                    problem.why.empty() ? "" : "; ", percentText(100 * starved));
            if (measures_.experiment().regionOf(place.path).name.starts_with("!$omp atomic"))
                problem.remedy =
                    "change it less often: let each thread collect its own values, and combine these at the "
                    "end";
            if (areTests)
                problem.why += std::string(problem.why.empty() ? "" : "; ") +
                               "those who wait test again and again whether it is free, and sleep meanwhile";
            problem.gain = place.value / static_cast<double>(measures_.threads().size());
            addEvidence(measures_, rule.waits, "waiting for the lock", place.path, kAll, problem);
            if (isHolder)
                addEvidence(measures_, rule.delays, "what holding it costs others", *holder, kAll, problem);
            found.push_back({std::move(problem), callerOf(place.path)});
        }
        return found;
    }

  private:
    bool isMostlySleep(CallPathId path) const {
        constexpr double kMostly = 0.5;
        return measures_.perPath(sleepTimes())[path.index()] >
               kMostly * measures_.perPath({"time"})[path.index()];
    }

    static std::optional<CallPathId> mostDelaying(const std::vector<double>& delays) {
        const auto most = std::ranges::max_element(delays);
        if (most == delays.end() || !(*most > 0)) return std::nullopt;
        return CallPathId(static_cast<std::size_t>(most - delays.begin()));
    }

    /// What others wait for a holder of locks is not known by lock. Where it is more than they wait elsewhere
    /// for any lock, the rest is for the lock of this place.
    static bool isMostlyFor(double forHolder, double here, double everywhere) {
        constexpr double kMostly = 0.5;
        return forHolder - (everywhere - here) >= kMostly * here;
    }

    /// Of the waiting for locks the part in which their holders had no processor: it is told with the lack of
    /// processors, and no part of what the locks cost.
    double partOfStarvedHolders(const std::vector<double>& waits) const {
        const std::vector<double> starved = lockWaitsForStarved(measures_);
        const double all =
            std::max(measures_.total(lockWaits().delays), std::accumulate(waits.begin(), waits.end(), 0.0));
        return all > 0 ? std::accumulate(starved.begin(), starved.end(), 0.0) / all : 0;
    }

    /// Takes off the delays what holders had no processor for before they had the lock: they came later for
    /// that, and made nobody wait: what is told of them is for what they do as they have it.
    void leaveOutLack(std::vector<double>& delays) const {
        const std::vector<double> starved = lockWaitsForStarved(measures_);
        double before = 0, left = 0;
        for (const CallPathId path : tree_.ids()) {
            double& value = delays[path.index()];
            if (isShortage(measures_, path)) before += value - starved[path.index()];
            if (isNotOfProgram(measures_, path)) value = 0;
            left += value;
        }
        if (!(left > 0)) return;
        for (double& value : delays) value *= 1 + before / left;
    }

    CallPathId callerOf(CallPathId path) const { return tree_.parent(path).value_or(path); }

    /// Most of what is waited there for locks is sleep between two tests of one.
    bool isPauseBetweenTests(CallPathId path) const {
        constexpr double kMostly = 0.5;
        return measures_.perPath(sleepsForLocks())[path.index()] >
               kMostly * measures_.perPath(lockWaits().waits)[path.index()];
    }

    /// Who tests for a lock, and sleeps between two tests, waits in both calls: this is one wait, told where
    /// there is more of it.
    void joinPausesToTests(std::vector<double>& waits) const {
        MetricNames names{"omp_lock_contention_polling", "pthread_lock_contention_polling"};
        names.insert(names.end(), sleepsForLocks().begin(), sleepsForLocks().end());
        const std::vector<double> pauses = measures_.perPath(sleepsForLocks()),
                                  all = measures_.perPath(names);
        for (const CallPathId path : tree_.ids()) {
            if (!(pauses[path.index()] > 0)) continue;
            std::vector<CallPathId> tests;
            for (const CallPathId other : tree_.children(callerOf(path)))
                if (all[other.index()] > 0) tests.push_back(other);
            const CallPathId most =
                *std::ranges::max_element(tests, {}, [&](CallPathId one) { return waits[one.index()]; });
            double sum = 0;
            for (const CallPathId one : tests) sum += std::exchange(waits[one.index()], 0);
            waits[most.index()] = sum;
        }
    }

    const Measures& measures_;
    const CallTree& tree_;
};

}  // namespace

std::vector<LockProblem> lockProblems(const Measures& measures, double least) {
    return LockSearch(measures).find(least);
}

}  // namespace holos::algebra
