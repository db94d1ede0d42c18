// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/sleep.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include "algebra/insight/summary/evidence.h"
#include "algebra/insight/summary/joined_threads.h"
#include "algebra/insight/summary/lone_thread.h"
#include "algebra/insight/summary/parallel_regions.h"
#include "algebra/insight/summary/rules.h"
#include "algebra/insight/summary/spread.h"
#include "algebra/insight/summary/words.h"
#include "base/text.h"

namespace holos::algebra {
namespace {

const MetricNames kSleeps{"system_waiting", "pthread_condition_timeout", "pthread_semaphore_timeout"};
/// The part in which it is known for whom, which is another problem.
const MetricNames kKnownWaits{"futex_wait", "system_waiting_polling", "system_waiting_receiver_polling",
                              "system_waiting_collective_polling", "system_waiting_lock_polling"};

constexpr const char* kFileLockRemedy =
    "hold the lock for a shorter time, or lock only the part of the file that is changed";

bool locksFiles(std::string_view function) {
    return function == "flock" || function == "lockf" || function == "lockf64" || function == "fcntl";
}

/// Threads alone, or with their process where that has no others.
std::vector<Member> everybody(const Measures& measures, const std::vector<double>& values) {
    return measures.threads().size() == measures.processes().size() ? processMembers(measures, values)
                                                                    : threadMembers(measures, values);
}

/// How long each thread works, by LocationId, and when it surely does not.
class WorkTimes {
  public:
    explicit WorkTimes(const Measures& measures)
        : wall_(measures.wall()),
          works_(without(measures.perLocation({"comp"}), measures.perLocation({"unseen_sleep"}))),
          lacks_(measures.perLocation({"processor_waiting"})),
          starts_(measures.perLocation({"mpi_init_exit"})) {}

    double works(std::size_t thread) const { return works_[thread]; }
    /// Of `asleep` seconds of the one, how long the other one works at least.
    double worksDuring(double asleep, std::size_t sleeper, std::size_t worker) const {
        return together(asleep, works_[worker], sleeper, worker);
    }
    /// And how long it works or lacks a processor.
    double readyDuring(double asleep, std::size_t sleeper, std::size_t worker) const {
        return together(asleep, works_[worker] + lacks_[worker], sleeper, worker);
    }

  private:
    /// Processes start MPI together.
    double together(double asleep, double busy, std::size_t sleeper, std::size_t worker) const {
        const double rest = wall_ - std::min(starts_[sleeper], starts_[worker]);
        return std::clamp(asleep + busy - rest, 0.0, std::min(asleep, busy));
    }

    double wall_;
    std::vector<double> works_;
    std::vector<double> lacks_;
    std::vector<double> starts_;
};

WorkMeanwhile workOf(const WorkTimes& times, const Member& worker, double asleep, std::size_t sleeper) {
    const std::size_t at = worker.locations.front().index();
    return {worker.name, worker.locations, times.worksDuring(asleep, sleeper, at),
            times.readyDuring(asleep, sleeper, at)};
}

/// What a thread does, or could do on a processor.
const MetricNames kWork{"comp", "processor_waiting"};

class SleepSearch {
  public:
    explicit SleepSearch(const Measures& measures)
        : measures_(measures),
          tree_(measures.experiment().callTree),
          least_(kWorthSaying / 100 * measures.time()),
          places_(placesOf(tree_, measures.perPath(kSleeps), least_)) {}

    std::vector<Problem> run() {
        std::vector<Problem> problems;
        if (places_.empty()) return problems;
        if (auto all = sleepOfAll()) problems.push_back(std::move(*all));
        auto one = sleepOfOne();
        if (!one) one = sleepOfSome();
        if (one) problems.push_back(std::move(*one));
        return problems;
    }

  private:
    std::vector<double> sleepAt(CallPathId place) const {
        return without(measures_.perLocation(kSleeps, place), measures_.perLocation(kKnownWaits, place));
    }

    /// By process: what threads work, other than its first one, and in no parallel region that this one is
    /// in, too, of which it waits for the end. It may sleep meanwhile.
    std::vector<double> workOfOtherThreads() const {
        std::vector<double> working;
        const std::vector<double> all = measures_.perLocation(kWork);
        for (const CountedProcess& process : measures_.processes()) working.push_back(ofOthers(process, all));
        for (const CallPathId region : outermostRegions()) {
            const std::vector<double> here = measures_.perLocation(kWork, region),
                                      times = measures_.perLocation({"time"}, region);
            for (std::size_t i = 0; i < working.size(); ++i)
                if (times[measures_.processes()[i].threads.front().index()] > 0)
                    working[i] -= ofOthers(measures_.processes()[i], here);
        }
        return working;
    }
    static double ofOthers(const CountedProcess& process, const std::vector<double>& values) {
        return std::accumulate(process.threads.begin() + 1, process.threads.end(), 0.0,
                               [&](double sum, LocationId thread) { return sum + values[thread.index()]; });
    }

    std::vector<CallPathId> outermostRegions() const {
        std::vector<CallPathId> regions;
        for (const CallPathId path : tree_.ids())
            if (isParallelRegion(measures_.experiment(), path) &&
                outermostParallelRegion(measures_.experiment(), path) == path)
                regions.push_back(path);
        return regions;
    }

    /// By process: how long its first thread sleeps at the place while no other one works in the same
    /// parallel region.
    std::vector<double> asleepInAllRegions(CallPathId place) const {
        const std::vector<double> values = sleepAt(place);
        std::vector<double> asleep;
        for (const CountedProcess& process : measures_.processes())
            asleep.push_back(values[process.threads.front().index()]);
        for (const CallPathId region : outermostRegions()) {
            if (!tree_.isWithin(region, place)) continue;
            const std::vector<double> here = sleepAt(region), work = measures_.perLocation(kWork, region);
            for (std::size_t i = 0; i < asleep.size(); ++i) {
                const CountedProcess& process = measures_.processes()[i];
                asleep[i] -= std::min(here[process.threads.front().index()], ofOthers(process, work));
            }
        }
        return asleep;
    }

    /// Nobody waits for whoever sleeps no longer than all others do there. Other threads than the first one
    /// may have nothing to do but to wait for something.
    std::optional<Problem> sleepOfAll() {
        const std::vector<double> working = workOfOtherThreads();
        for (const Place& place : places_) {
            if (outermostParallelRegion(measures_.experiment(), place.path)) {
                if (auto problem = sleepOfTeams(place.path)) return problem;
                continue;
            }
            const std::vector<double> asleep = asleepInAllRegions(place.path);
            double each = std::numeric_limits<double>::infinity();
            for (std::size_t i = 0; i < asleep.size(); ++i) each = std::min(each, asleep[i] - working[i]);
            const std::size_t processes = measures_.processes().size();
            if (!(each * static_cast<double>(processes) >= least_)) continue;
            const bool isAlone = processes == 1;
            Problem problem = sleepAtPlace("sleep", place.path, each * static_cast<double>(processes));
            problem.gain = problem.cost / static_cast<double>(measures_.threads().size());
            if (isMostlyForChildren(place.path))
                describeChildren(isAlone, problem);
            else
                describe(isAlone ? "The process" : "All processes", isAlone, problem);
            problem.who = isAlone ? "for " + secondsText(each)
                                  : fmt::format("each of them for {} or more", secondsText(each));
            addUnrecordedChildren(measures_, problem);
            told_ = each;
            return problem;
        }
        return std::nullopt;
    }

    /// Whether threads of a team sleep at the same time is not known; but each of them does.
    std::optional<Problem> sleepOfTeams(CallPathId place) {
        const std::vector<double> values = sleepAt(place);
        double each = std::numeric_limits<double>::infinity();
        for (const LocationId thread : measures_.threads()) each = std::min(each, values[thread.index()]);
        const auto threads = static_cast<double>(measures_.threads().size());
        if (!(each * threads >= least_)) return std::nullopt;
        Problem problem = sleepAtPlace("sleep", place, each * threads);
        problem.gain = each;
        describe("Each thread", true, problem);
        problem.who = fmt::format("each of them for {} or more", secondsText(each));
        told_ = each;
        return problem;
    }

    /// Of a thread that another one has started, and joins: those who wait for it otherwise may wait for
    /// nearly all of their time, and do not count then. What it sleeps is awaited where it is critical, and
    /// others wait because of it: a thread that looks now and then whether it is to end has the latter for
    /// the last look alone.
    ///
    ///     first thread  ━│ join ·······················│━
    ///     producer       │ ··sleeps···━··sleeps····━···│
    ///     consumer       │ ···waits····━···waits····━··│
    std::optional<Problem> sleepOfOne() const {
        if (!measures_.find("critical_path") || !measures_.find("delay") || loneThreadProblem(measures_))
            return std::nullopt;
        constexpr double kHardlyAny = 0.1;
        struct Awaited {
            CallPathId place;
            LocationId thread;
            double seconds = 0;
        };
        std::optional<Awaited> most;
        const std::vector<double> yields = criticalYields();
        for (const Place& place : places_) {
            const std::string& function = measures_.experiment().regionOf(place.path).name;
            if (isYield(function) || waitsForChildren(function) ||
                outermostParallelRegion(measures_.experiment(), place.path))
                continue;
            const std::vector<double> asleep = sleepAt(place.path),
                                      critical = measures_.perLocation({"critical_path"}, place.path),
                                      awaited = measures_.perLocation({"delay"}, place.path);
            for (const LocationId thread : measures_.threads()) {
                const std::size_t at = thread.index();
                const double seconds = std::min({asleep[at], critical[at], awaited[at]});
                if (yields[at] > kHardlyAny * seconds) continue;
                if (!isFirst(thread) && seconds >= least_ && (!most || seconds > most->seconds))
                    most = Awaited{place.path, thread, seconds};
            }
        }
        if (!most) return std::nullopt;
        Problem problem = sleepAtPlace("sleep-of-one", most->place, most->seconds);
        const std::vector<Member> members = threadMembers(measures_, sleepAt(most->place));
        const auto sleeper = std::ranges::find_if(
            members, [&](const Member& one) { return one.locations.front() == most->thread; });
        if (sleeper == members.end()) return std::nullopt;
        problem.locations = thoseWhoSleepAsLong(members, *sleeper);
        const std::size_t sleepers = problem.locations.size();
        problem.who = sleepers == 1 ? fmt::format("{} sleeps", sleeper->name)
                                    : fmt::format("{} threads sleep", sleepers);
        problem.who += fmt::format(" there for {}, of which others wait for {} or more",
                                   secondsText(sleeper->value), secondsText(most->seconds));
        if (sleepers > 1) problem.what = "Threads sleep, and others wait until they end";
        problem.gain = std::min(most->seconds, measures_.wall() - busiestBeside(problem.locations));
        addEvidence(measures_, {"critical_path"}, "on the critical path", most->place, problem.locations,
                    problem);
        addEvidence(measures_, {"delay"}, "waiting of others that this causes", most->place,
                    problem.locations, problem);
        addUnrecordedChildren(measures_, problem);
        return problem;
    }

    /// By LocationId: on the critical path, in calls that let others have the processor, so that it may be
    /// another thread that is critical.
    std::vector<double> criticalYields() const {
        std::vector<double> yields(measures_.experiment().system.locations.size(), 0.0);
        for (const CallPathId path : tree_.ids()) {
            if (!isYield(measures_.experiment().regionOf(path).name)) continue;
            const std::vector<double> here = measures_.perLocation({"critical_path"}, path);
            std::ranges::transform(yields, here, yields.begin(), std::plus());
        }
        return yields;
    }

    /// Threads that do the same sleep at the same time.
    static std::vector<LocationId> thoseWhoSleepAsLong(const std::vector<Member>& members,
                                                       const Member& sleeper) {
        constexpr double kNearly = 0.9;
        std::vector<LocationId> alike;
        for (const Member& member : members)
            if (member.value >= kNearly * sleeper.value) alike.push_back(member.locations.front());
        return alike;
    }

    /// Of the threads beside these, and those that do not count: what one of them works and sleeps at most.
    double busiestBeside(const std::vector<LocationId>& threads) const {
        MetricNames names = kWork;
        names.insert(names.end(), kSleeps.begin(), kSleeps.end());
        const std::vector<double> busy =
            without(measures_.perLocation(names), measures_.perLocation(kKnownWaits));
        double most = 0;
        for (std::size_t other = 0; other < busy.size(); ++other)
            if (std::ranges::count(threads, LocationId(other)) == 0) most = std::max(most, busy[other]);
        return most;
    }

    /// Threads that only start others need not do anything while these work.
    std::optional<Problem> sleepOfSome() const {
        if (measures_.threads().size() < 2 || loneThreadProblem(measures_)) return std::nullopt;
        const WorkTimes times(measures_);
        const std::vector<Member> members = everybody(measures_, sleepThatIsNotTold());
        const Member& worker = members[worksMost(times, members)];
        const LocationId working = worker.locations.front();
        std::vector<const Member*> sleepers;
        double cost = 0, ofFirst = 0;
        for (const Member& member : members) {
            const LocationId sleeper = member.locations.front();
            const double meanwhile = times.readyDuring(member.value, sleeper.index(), working.index());
            if (sleeper == working || !(meanwhile > 0)) continue;
            sleepers.push_back(&member);
            cost += meanwhile;
            if (isFirst(sleeper)) ofFirst += meanwhile;
        }
        cost -= std::min(ofFirst, waitingWhileAllWork(measures_, kSleeps));
        if (sleepers.empty() || cost < least_) return std::nullopt;
        std::ranges::stable_sort(sleepers, std::ranges::greater(), &Member::value);
        return describeSome(times, cost, worker, sleepers);
    }

    /// By LocationId: without waiting for children, letting others have the processor, and what all do.
    std::vector<double> sleepThatIsNotTold() const {
        std::vector<double> sleep =
            without(measures_.perLocation(kSleeps), measures_.perLocation(kKnownWaits));
        for (const CallPathId path : tree_.ids()) {
            const std::string& name = measures_.experiment().regionOf(path).name;
            if (waitsForChildren(name) || isYield(name))
                sleep = without(std::move(sleep), measures_.perLocation(kSleeps, path));
        }
        if (told_)
            for (double& value : sleep) value = std::max(0.0, value - *told_);
        return sleep;
    }

    /// Where it sleeps longest.
    CallPathId placeOf(LocationId sleeper) const {
        return std::ranges::max_element(
                   places_, {}, [&](const Place& place) { return sleepAt(place.path)[sleeper.index()]; })
            ->path;
    }

    bool isFirst(LocationId thread) const {
        return std::ranges::any_of(measures_.processes(), [&](const CountedProcess& process) {
            return process.threads.front() == thread;
        });
    }

    /// The one that the others sleep longest beside.
    static std::size_t worksMost(const WorkTimes& times, const std::vector<Member>& members) {
        const auto besides = [&](std::size_t worker) {
            double sum = 0;
            for (std::size_t i = 0; i < members.size(); ++i)
                if (i != worker)
                    sum += times.readyDuring(members[i].value, members[i].locations.front().index(),
                                             members[worker].locations.front().index());
            return sum;
        };
        std::size_t most = 0;
        for (std::size_t i = 1; i < members.size(); ++i)
            if (besides(i) > besides(most)) most = i;
        return most;
    }

    /// `sleepers`: the one that sleeps longest first.
    Problem describeSome(const WorkTimes& times, double cost, const Member& worker,
                         const std::vector<const Member*>& sleepers) const {
        const Member& longest = *sleepers.front();
        Problem problem = sleepAtPlace("sleep-beside-work", placeOf(longest.locations.front()), cost);
        const Verbs verbs = verbsAt(*problem.path);
        const bool areThreads = measures_.threads().size() > measures_.processes().size();
        const bool isOne = sleepers.size() == 1;
        problem.what = fmt::format("{} of {} {} while another one works",
                                   isOne ? "One" : std::to_string(sleepers.size()),
                                   counted(measures_.threads().size(), areThreads ? "thread" : "process"),
                                   isOne ? verbs.one : verbs.several);
        problem.who = fmt::format("{} does so for {}", longest.name, secondsText(longest.value));
        if (!isOne)
            problem.who += sleepers.size() == 2 ? ", another one, too"
                                                : fmt::format(", {} others, too", sleepers.size() - 1);
        problem.who += ";" + workOf(times, worker, longest.value, longest.locations.front().index()).text();
        if (verbs.remedy != nullptr) problem.remedy = verbs.remedy;
        problem.why = fmt::format("nothing that was recorded tells whether {} for that one",
                                  isOne ? "it waits" : "they wait");
        for (const Member* const sleeper : sleepers)
            problem.locations.insert(problem.locations.end(), sleeper->locations.begin(),
                                     sleeper->locations.end());
        addUnrecordedChildren(measures_, problem);
        return problem;
    }

    /// What those do who seem to sleep.
    struct Verbs {
        const char* one;
        const char* several;
        const char* remedy = nullptr;  ///< where they do not just sleep
        bool isForOthers = false;      ///< it ends by what others do
    };
    Verbs verbsAt(CallPathId place) const {
        const std::string& function = measures_.experiment().regionOf(place).name;
        if (isYield(function))
            return {"waits and lets others have its processor, again and again",
                    "wait and let others have their processors, again and again", kYieldRemedy};
        if (locksFiles(function))
            return {"waits for the lock of a file", "wait for locks of files", kFileLockRemedy, true};
        return {"sleeps", "sleep"};
    }
    Problem sleepAtPlace(const char* kind, CallPathId place, double cost) const {
        Problem problem = problemOf(measures_, kind, cost);
        placeAt(measures_, place, problem);
        problem.isSleep = true;
        addEvidence(measures_, kSleeps, "sleep", place, kAll, problem);
        return problem;
    }

    /// Whoever waits for a lock of another one does not gain what it waits.
    void describe(const char* who, bool isOne, Problem& problem) const {
        const Verbs verbs = verbsAt(*problem.path);
        problem.what = fmt::format("{} {}", who, isOne ? verbs.one : verbs.several);
        if (verbs.remedy != nullptr) problem.remedy = verbs.remedy;
        if (verbs.isForOthers) problem.gain.reset();
    }

    /// Whether what is slept there is waiting for the end of processes that the program started.
    bool isMostlyForChildren(CallPathId place) const {
        constexpr double kMostly = 0.5;
        const std::vector<double> sleep = measures_.perPath({"system_waiting"});
        double forChildren = 0, all = 0;
        for (const CallPathId path : tree_.subtree(place)) {
            all += sleep[path.index()];
            if (waitsForChildren(measures_.experiment().regionOf(path).name))
                forChildren += sleep[path.index()];
        }
        return forChildren > kMostly * all;
    }

    /// What the children do meanwhile, and how many could do it at a time, is not known of the process.
    static void describeChildren(bool isAlone, Problem& problem) {
        problem.what = isAlone ? "The process waits until processes end that it started"
                               : "All processes wait until processes end that they started";
        problem.remedy =
            "see how long each of these takes, and whether they run one after the other and could do so at the "
            "same time; or do something else meanwhile";
        problem.isSleep = false;
        problem.gain.reset();
    }

    const Measures& measures_;
    const CallTree& tree_;
    double least_;
    std::vector<Place> places_;
    std::optional<double> told_;  ///< how long each sleeps where all do
};

/// Where those sleep for whom others wait; whoever has a lock does so elsewhere than these wait.
std::vector<CallPathId> placesOfAwaitedSleep(const Problem& late) {
    std::vector<CallPathId> places;
    if (!late.isSleep || late.kind.starts_with("sleep")) return places;
    if (late.path) places.push_back(*late.path);
    if (late.kind != "lock") return places;
    for (const Evidence& evidence : late.evidence)
        if (evidence.path) places.push_back(*evidence.path);
    return places;
}

}  // namespace

const char* remedyOfWaits(std::string_view function) {
    return locksFiles(function) ? kFileLockRemedy : waitsForChildren(function) ? kChildrenRemedy : nullptr;
}

std::string WorkMeanwhile::text() const {
    constexpr double kNearlyAll = 0.9;
    return works >= kNearlyAll * ready
               ? fmt::format(" {} works meanwhile, for at least {}", name, secondsText(works))
               : fmt::format(" {} works meanwhile or has no processor, for at least {}", name,
                             secondsText(ready));
}

std::optional<WorkMeanwhile> workMeanwhile(const Measures& measures, LocationId sleeper, double asleep) {
    const WorkTimes times(measures);
    std::optional<WorkMeanwhile> most;
    for (const Member& member :
         everybody(measures, std::vector<double>(measures.experiment().system.locations.size(), 0.0))) {
        if (std::ranges::count(member.locations, sleeper) > 0) continue;
        WorkMeanwhile work = workOf(times, member, asleep, sleeper.index());
        if (work.ready > 0 && (!most || work.ready > most->ready)) most = std::move(work);
    }
    return most;
}

std::vector<Problem> sleepProblems(const Measures& measures) {
    return SleepSearch(measures).run();
}

void leaveOutToldSleep(const Measures& measures, std::vector<Problem>& problems) {
    const CallTree& tree = measures.experiment().callTree;
    std::vector<CallPathId> places;
    for (const Problem& problem : problems)
        std::ranges::move(placesOfAwaitedSleep(problem), std::back_inserter(places));
    const auto isTold = [&](const Problem& sleep) {
        return std::ranges::any_of(places, [&](CallPathId place) {
            return tree.isWithin(place, *sleep.path) || tree.isWithin(*sleep.path, place);
        });
    };
    std::erase_if(problems, [&](const Problem& problem) {
        const bool mayBeTold =
            problem.kind == "sleep-beside-work" || problem.kind == "sleep-of-one" ||
            (problem.kind == "sleep" && outermostParallelRegion(measures.experiment(), *problem.path));
        return mayBeTold && isTold(problem);
    });
}

}  // namespace holos::algebra
