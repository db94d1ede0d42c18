// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <string>

#include "algebra/insight/summary/blame.h"
#include "algebra/insight/summary/complement.h"
#include "algebra/insight/summary/evidence.h"
#include "algebra/insight/summary/joined_threads.h"
#include "algebra/insight/summary/parallel_regions.h"
#include "algebra/insight/summary/polling.h"
#include "algebra/insight/summary/sleep.h"
#include "algebra/insight/summary/starvation.h"
#include "algebra/insight/summary/task_runs.h"
#include "algebra/insight/summary/words.h"
#include "base/text.h"

namespace holos::algebra {

namespace {

std::string bytesText(double bytes) {
    constexpr double kKilo = 1024, kMega = kKilo * kKilo;
    if (bytes >= kMega) return fmt::format("{:.3g} MiB", bytes / kMega);
    return bytes >= kKilo ? fmt::format("{:.3g} KiB", bytes / kKilo) : fmt::format("{:.3g} bytes", bytes);
}

class CostSearch {
  public:
    explicit CostSearch(const Measures& measures)
        : measures_(measures),
          starvation_(starvationOfCalls(measures)),
          lack_(starvationOf(measures).seconds),
          complement_(complementOf(measures)) {}

    std::vector<Problem> run() {
        findMessages();
        findCollectives();
        find("unexplained", kWorthSaying, unexplainedWaits(), {});
        if (!measures_.find("omp_ordered_wait"))
            find("ordered", kWorthSaying, {"omp_ordered"}, {"omp_ordered_processor_waiting"});
        findFiles();
        std::ranges::move(sleepProblems(measures_), std::back_inserter(problems_));
        if (measures_.percentOfStart() < kMostlyStart)
            find("startup", kLongStart, {"mpi_init_exit"}, waitsAtStartAndEnd());
        findRegions();
        findShortThreads();
        findSmallTasks();
        for (Problem& problem : problems_)
            if (mayBeStarvation(problem) && isSaidAllTheSame(problem))
                problem.why += std::string(problem.why.empty() ? "" : "; ") +
                               "uncertain: threads waited for processors, which makes some calls long, too";
        std::erase_if(problems_, [this](const Problem& problem) {
            return mayBeStarvation(problem) && !isSaidAllTheSame(problem);
        });
        std::ranges::move(complement_.problems, std::back_inserter(problems_));
        return std::move(problems_);
    }

  private:
    /// Takes out what is known to be waiting for others, or adds it; false where too little is left to be
    /// told.
    bool takeOut(double waiting, double least, Problem& problem) {
        problem.cost -= waiting;
        problem.percent = measures_.percent(problem.cost);
        problem.gain = problem.cost / static_cast<double>(measures_.threads().size());
        if (problem.percent >= least) return true;
        problems_.pop_back();
        return false;
    }

    /// Threads that had no processor in calls of MPI or OpenMP make these look long, and its start, too. All
    /// threads of a team are in its region until each of them could end.
    bool mayBeStarvation(const Problem& problem) const {
        // Regions that are long for what managing them takes are hardly the program's: a little lack is
        // enough.
        if (problem.kind == "managing-threads" &&
            problem.cost <= lack_ * static_cast<double>(measures_.mostThreads()))
            return true;
        const bool isOfTeams = problem.kind == "small-regions" || problem.kind == "managing-threads" ||
                               problem.kind == "many-barriers";
        return problem.kind != "files" && problem.kind != "sleep" &&
               problem.cost <= starvation_ * (isOfTeams ? static_cast<double>(measures_.mostThreads()) : 1);
    }

    /// Many calls that take next to nothing each: without a processor a few of them would take much longer.
    bool areShortCalls(const Problem& problem) const {
        const auto calls = calls_.find(problem.kind);
        return calls != calls_.end() && problem.cost < kCostOfMessage * calls->second;
    }

    /// A thread that waits for its turn asks for it again and again, so that it waits for a processor, too.
    /// How often threads meet is known in any case.
    bool isSaidAllTheSame(const Problem& problem) const {
        return problem.kind == "ordered" || problem.kind == "short-threads" ||
               problem.kind == "many-barriers" || areShortCalls(problem);
    }

    /// And what else such calls do not take by themselves.
    static MetricNames withUnexplained(MetricNames waits) {
        for (const MetricNames* more : {&unexplainedWaits(), &shortageTimes()})
            waits.insert(waits.end(), more->begin(), more->end());
        return waits;
    }

    /// The time of some metrics without others, where it is worth saying.
    Problem* find(const char* kind, double least, const MetricNames& plus, const MetricNames& minus) {
        const std::vector<double> values = without(measures_.perPath(plus), measures_.perPath(minus));
        double cost = 0;
        for (const double value : values) cost += value;
        if (measures_.percent(cost) < least) return nullptr;
        Problem& problem = problems_.emplace_back(problemOf(measures_, kind, cost));
        const auto most = std::ranges::max_element(values);
        placeAt(measures_, CallPathId(static_cast<std::size_t>(most - values.begin())), problem);
        atPlace_ = *most;
        isOnePlace_ = std::ranges::count_if(values, [](double value) { return value > 0; }) == 1;
        problem.gain = cost / static_cast<double>(measures_.threads().size());
        addEvidence(measures_, plus, "time in these calls, where there is most", problem.path, kAll, problem);
        return &problem;
    }

    void findFiles() {
        MetricNames others{"mpi_mgmt_file_wait", "mpi_io_collective_wait"};
        others.insert(others.end(), shortageTimes().begin(), shortageTimes().end());
        find("files", kWorthSaying, {"file_io", "mpi_io", "mpi_mgmt_file"}, others);
    }

    void findMessages() {
        const double sent = measures_.total({"comms_send", "syncs_send"});
        const double bytes = measures_.total("bytes_sent");
        const double each = sent > 0 ? bytes / sent : 0;
        Problem* const problem = find("communication", kMuchCommunication, {"mpi_point2point"},
                                      withUnexplained(waitsForMessages()));
        if (problem == nullptr || !takeOut(complement_.inMessages, kMuchCommunication, *problem)) return;
        if (hasUnmatchedReceives(measures_.experiment())) return problems_.pop_back();
        const double polling = pollingTime(measures_);
        problem->cost -= polling;
        problem->percent = measures_.percent(problem->cost);
        if (problem->percent < kMuchCommunication) return problems_.pop_back();
        if (sent == 0) return;
        if (each < kSmallMessage && problem->cost / sent < kCostOfMessage && measures_.knowsWaits())
            call(*problem, "small-messages");
        if (measures_.knowsWaits()) calls_["small-messages"] = sent;
        problem->who = fmt::format("{} of {} on average{}, {} per message",
                                   sent == 1 ? "1 message" : numberText(sent) + " messages", bytesText(each),
                                   everywhere(), secondsText(problem->cost / sent));
        addEvidence(measures_, {"comms_send", "syncs_send"}, "messages that were sent", std::nullopt, kAll,
                    *problem);
        addEvidence(measures_, {"bytes_sent"}, "bytes that were sent", std::nullopt, kAll, *problem);
    }

    void findCollectives() {
        Problem* const problem =
            find("collectives", kMuchCommunication, {"mpi_collective", "mpi_sync_collective"},
                 withUnexplained(waitRules()[1].waits));
        if (problem == nullptr || !takeOut(complement_.inCollectives, kMuchCommunication, *problem)) return;
        if (!measures_.knowsWaits()) problem->why += barrierText(problem->cost);
        const double calls = measures_.total({"comms_coll", "syncs_coll"});
        if (measures_.knowsWaits()) calls_["collectives"] = calls;
        if (calls > 0) problem->who = callsText(*problem, calls);
        addEvidence(measures_, {"comms_coll", "syncs_coll"}, "collective operations, by each process",
                    std::nullopt, kAll, *problem);
    }

    /// What is counted in the whole program is not what is where the problem stands, if it is in several
    /// places.
    const char* everywhere() const { return isOnePlace_ ? "" : " in the whole program"; }

    /// How many of so many calls are where there is most, and what one takes there.
    std::string callsText(const Problem& problem, double calls) const {
        const char* const waits = measures_.knowsWaits() ? "beside" : "with";
        const double here = measures_.perPath({"visits"})[problem.path->index()];
        if (isOnePlace_ || !(here > 0) || !measures_.knowsWaits())
            return fmt::format("{} calls of all processes together{}, {} each {} waiting", numberText(calls),
                               everywhere(), secondsText(problem.cost / calls), waits);
        return fmt::format(
            "{} calls of all processes together there, {} each {} waiting; {} calls{}, {} each",
            numberText(here), secondsText(atPlace_ / here), waits, numberText(calls), everywhere(),
            secondsText(problem.cost / calls));
    }

    /// Of a profile: barriers that take too long for what they do.
    std::string barrierText(double cost) const {
        constexpr double kLongBarrier = 1e-3, kMostly = 0.5;
        const std::vector<double> times = measures_.perPath({"mpi_sync_collective"}),
                                  visits = measures_.perPath({"visits"});
        double time = 0, calls = 0;
        for (std::size_t path = 0; path < times.size(); ++path)
            if (times[path] > 0) {
                time += times[path];
                calls += visits[path];
            }
        time -= complement_.inCollectives;
        if (!(calls > 0) || time < kMostly * cost || time / calls < kLongBarrier) return {};
        return fmt::format(
            "; a barrier moves no data, and takes {} here on average: likely most of it is waiting, for one "
            "process this time and for another the next",
            secondsText(time / calls));
    }

    void findRegions() {
        Problem* const problem =
            find("small-regions", kWorthSaying, managementOfTeams(), waitsInManagementOfTeams());
        const double waiting = complement_.atBarriers - delaysOf(measures_).ofManagement;
        if (problem == nullptr || !takeOut(waiting, kWorthSaying, *problem)) return;
        if (!measures_.knowsWaits()) return;
        const Regions regions = parallelRegions(std::nullopt);
        if (!(regions.number > 0)) return;
        calls_["small-regions"] = regions.number;
        if (const Barriers barriers = barriersIn(regions); barriers.areMany(problem->cost)) {
            call(*problem, "many-barriers");
            problem->who = fmt::format(
                "{} calls of barriers by all threads together; a thread works {} on average between two of them",
                numberText(barriers.calls), secondsText(barriers.work / barriers.calls));
            return;
        }
        const double length = regions.seconds / regions.number;
        if (length > kShortRegion) call(*problem, "managing-threads");
        problem->who = "parallel regions take " + secondsText(length) + " on average";
        const Regions there = parallelRegions(regionAround(*problem->path));
        if (regions.places == 1 || there.places != 1) return;
        problem->who += fmt::format(" in the whole program, those there {}",
                                    secondsText(there.seconds / std::max(1.0, there.number)));
    }

    /// The innermost parallel region.
    std::optional<CallPathId> regionAround(CallPathId path) const {
        std::optional<CallPathId> around = path;
        while (around && !isParallelRegion(measures_.experiment(), *around))
            around = measures_.experiment().callTree.parent(*around);
        return around;
    }

    /// Threads that are started for so little work that this takes long beside it. Whoever starts and joins
    /// them does that alone.
    void findShortThreads() {
        const MetricNames managing{"pthread_management"};
        const MetricNames& waiting = waitsInManagementOfThreads();
        const auto threads = shortThreadsOf(measures_);
        if (!threads) return;
        Problem* const problem = find("short-threads", kWorthSaying, managing, waiting);
        if (problem == nullptr) return;
        problem->who = threads->text();
        const std::vector<double> all = measures_.perLocation(managing),
                                  waits = measures_.perLocation(waiting);
        problem->gain = 0;
        for (std::size_t at = 0; at < all.size(); ++at)
            problem->gain = std::max(*problem->gain, all[at] - waits[at]);
    }

    /// Whoever creates tasks takes longer for that than those who run them.
    void findSmallTasks() {
        const auto tasks = smallTasksOf(measures_);
        if (!tasks || measures_.percent(tasks->creating) < kWorthSaying) return;
        Problem& problem = problems_.emplace_back(problemOf(measures_, "small-tasks", tasks->creating));
        placeAt(measures_, *tasks->largest, problem);
        calls_["small-tasks"] = tasks->number;
        problem.who = fmt::format("{} tasks do {} each on average, and creating one takes {}",
                                  numberText(tasks->number), secondsText(tasks->doing / tasks->number),
                                  secondsText(tasks->creating / tasks->number));
        problem.gain = tasks->creating / static_cast<double>(measures_.threads().size());
        addEvidence(measures_, {"comp"}, "creating tasks, where there is most", problem.path, kAll, problem);
    }

    /// Of all threads that are in them, and not of teams that these start there.
    struct Regions {
        double seconds = 0;
        double number = 0;
        std::size_t places = 0;
    };
    /// In one call path, or in all.
    Regions parallelRegions(std::optional<CallPathId> only) const {
        const Experiment& experiment = measures_.experiment();
        const std::vector<double> visits = measures_.perPath({"visits"});
        Regions regions;
        const auto metric = measures_.find("visits");
        if (!metric) return regions;
        const auto visitsOf = experiment.severities.rows(*metric);
        std::vector<double> room(experiment.system.locations.size());
        for (const CallPathId path : experiment.callTree.ids()) {
            if (!isParallelRegion(experiment, path) || (only && path != *only)) continue;
            ++regions.places;
            regions.number += visits[path.index()];
            const std::span<const double> came = visitsOf->row(path, room);
            const std::vector<double> times = measures_.perLocation({"time"}, path);
            for (std::size_t at = 0; at < came.size(); ++at)
                if (came[at] > 0) regions.seconds += times[at];
        }
        return regions;
    }

    /// Calls of barriers in parallel regions, and what threads do in these, in files and MPI, too.
    struct Barriers {
        double calls = 0;
        double work = 0;
        double regions = 0;
        /// Several in each region, which cost more than the work, of which there is hardly any between two.
        bool areMany(double cost) const {
            constexpr double kMany = 10;
            return calls >= kMany * regions && work < cost && work < kCostOfMessage * calls;
        }
    };
    Barriers barriersIn(const Regions& regions) const {
        const Experiment& experiment = measures_.experiment();
        const std::vector<double> visits = measures_.perPath({"visits"}),
                                  work = measures_.perPath({"comp", "system_waiting", "mpi", "file_io"});
        Barriers barriers;
        barriers.regions = regions.number;
        for (const CallPathId path : experiment.callTree.ids()) {
            if (!outermostParallelRegion(experiment, path)) continue;
            barriers.work += work[path.index()];
            const std::string& name = experiment.regionOf(path).name;
            if (name.starts_with("!$omp") && name.find("barrier") != std::string::npos)
                barriers.calls += visits[path.index()];
        }
        return barriers;
    }

    /// What is known of the problem says that it is of another kind.
    static void call(Problem& problem, const char* kind) {
        const ProblemRule& rule = problemRule(kind);
        problem.kind = rule.kind;
        problem.what = rule.what;
        problem.remedy = rule.remedy;
    }

    const Measures& measures_;
    double starvation_;  ///< calls may take as much longer
    double lack_;        ///< of processors, however little it is
    Complement complement_;
    std::map<std::string, double> calls_;  ///< that a problem of this kind consists of
    std::vector<Problem> problems_;
    double atPlace_ = 0;      ///< of what was found last: seconds where there is most
    bool isOnePlace_ = true;  ///< and whether that is all
};

}  // namespace

std::vector<Problem> costProblems(const Measures& measures) {
    return CostSearch(measures).run();
}

}  // namespace holos::algebra
