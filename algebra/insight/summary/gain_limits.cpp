// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/gain_limits.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "algebra/insight/summary/problems.h"
#include "algebra/insight/summary/rules.h"

namespace holos::algebra {

namespace {

/// Threads of which it is told that they sleep, and what the run takes at least without that sleep.
///
///     first thread   │━│ ·sleeps··············· │ ━│
///     second thread  │━━━━━│ ·sleeps·······│waits │ ━│   without the first one's sleep it still has its own
///     third thread   │━│ waits ················ │ ━│   without both, all that it waits is gained
class SleepTold {
  public:
    explicit SleepTold(const Measures& measures)
        : measures_(measures),
          own_(ownTimes()),
          sleep_(sleepOfProgram()),
          critical_(measures.find("critical_path")),
          isSlept_(measures.experiment().callTree.size(), false),
          isTold_(measures.experiment().system.locations.size(), false) {
        const std::vector<double> sleep = measures.perPath(sleepTimes());
        for (std::size_t path = 0; path < sleep.size(); ++path) isSlept_[path] = sleep[path] > 0;
    }

    void add(const Problem& problem) {
        const bool areKnown =
            !problem.locations.empty() && problem.kind != "lock";  // who has it, or wants it
        for (const LocationId thread : areKnown ? problem.locations : measures_.threads())
            isTold_[thread.index()] = true;
        if (problem.path)  // in a way that the recorder does not see
            for (const CallPathId path : measures_.experiment().callTree.subtree(*problem.path))
                isSlept_[path.index()] = true;
    }

    /// Seconds that the run is shorter at most, without the sleep of all that were added.
    double mostGain() const {
        double longest = 0;
        for (const LocationId thread : measures_.threads()) {
            const std::size_t at = thread.index();
            longest = std::max(longest, own_[at] + (isTold_[at] ? 0 : sleep_[at]));
        }
        return std::min(std::max(0.0, measures_.wall() - longest), criticalSleep());
    }

  private:
    /// By LocationId: what a thread does whoever sleeps less.
    std::vector<double> ownTimes() const {
        std::vector<double> own = measures_.perLocation({"comp", "processor_waiting"});
        const std::vector<double> start =
            without(measures_.perLocation({"mpi_init_exit"}), measures_.perLocation(waitsAtStartAndEnd()));
        std::ranges::transform(own, start, own.begin(), std::plus());
        return without(std::move(own), measures_.perLocation({"unseen_sleep"}));
    }

    /// By LocationId, without what is for others. Another thread than the first one that is in no team may
    /// sleep until it is told to end.
    std::vector<double> sleepOfProgram() const {
        std::vector<double> sleep =
            without(withoutYields(measures_, sleepTimes()), measures_.perLocation(sleepsForOthers()));
        const Experiment& experiment = measures_.experiment();
        for (const CallPathId path : experiment.callTree.ids())
            if (waitsForChildren(experiment.regionOf(path).name))
                sleep = without(std::move(sleep), measures_.perLocation(sleepTimes(), path));
        const std::vector<double> inTeams = measures_.perLocation({"omp_time"});
        for (const CountedProcess& process : measures_.processes())
            for (const LocationId thread : process.threads)
                if (thread != process.threads.front() && !(inTeams[thread.index()] > 0))
                    sleep[thread.index()] = 0;
        return sleep;
    }

    /// A run is as long as its critical path, of which the rest stays.
    double criticalSleep() const {
        if (!critical_) return std::numeric_limits<double>::infinity();
        std::vector<CallPathChoice> paths;
        for (const CallPathId path : measures_.experiment().callTree.ids())
            if (isSlept_[path.index()]) paths.push_back({path, Extent::Exclusive});
        const std::vector<double> critical = perLocation(measures_.experiment(), {*critical_}, paths);
        double sum = 0;
        for (std::size_t at = 0; at < critical.size(); ++at)
            if (isTold_[at]) sum += critical[at];
        return sum;
    }

    const Measures& measures_;
    std::vector<double> own_, sleep_;  ///< by LocationId
    std::optional<MetricId> critical_;
    std::vector<bool> isSlept_;  ///< by CallPathId
    std::vector<bool> isTold_;   ///< by LocationId
};

void limitSleep(const Measures& measures, std::vector<Problem>& problems) {
    SleepTold told(measures);
    double before = 0;
    for (Problem& problem : problems) {
        if (!problem.isSleep || !problem.gain) continue;
        told.add(problem);
        problem.gain = std::clamp(told.mostGain() - before, 0.0, *problem.gain);
        before += *problem.gain;
    }
}

}  // namespace

/// Work is shared out, and each has its part of it then; sleep is gone where it is not needed. Threads that
/// have ended are not there to wait.
double mostGain(double seconds, const Problem& problem) {
    const bool isShared = problem.replayedWith.empty() && !problem.isSleep && problem.kind != "join";
    return isShared ? seconds * problem.percent / 100 : seconds;
}

/// None brings more than it costs, and together they bring no more than the run takes beyond what the work of
/// its threads needs in any case, and what the program could do otherwise no more than all threads lose. What
/// a problem costs is lost, also where the metrics do not tell it.
void limitGains(const Measures& measures, double percentLost, std::vector<Problem>& problems) {
    limitSleep(measures, problems);
    double left = measures.wall() - leastSeconds(measures);
    double lost = percentLost / 100 * measures.time();
    for (const Problem& problem : problems)
        if (!problem.isMistake) lost = std::max(lost, problem.cost);
    for (Problem& problem : problems) {
        if (!problem.gain) continue;
        const double most = problem.isMistake ? left : std::min(left, std::max(0.0, lost));
        problem.gain = std::clamp(std::min(*problem.gain, problem.cost), 0.0, most);
        const double told = std::min(*problem.gain, mostGain(measures.wall(), problem));
        left -= told;
        if (!problem.isMistake) lost -= told;
    }
}

}  // namespace holos::algebra
