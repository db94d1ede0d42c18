// SPDX-License-Identifier: BSD-3-Clause

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "algebra/insight/summary/blame.h"
#include "algebra/insight/summary/caused_waits.h"
#include "algebra/insight/summary/complement.h"
#include "algebra/insight/summary/evidence.h"
#include "algebra/insight/summary/joined_threads.h"
#include "algebra/insight/summary/late_place.h"
#include "algebra/insight/summary/late_sleep.h"
#include "algebra/insight/summary/late_workers.h"
#include "algebra/insight/summary/lateness.h"
#include "algebra/insight/summary/limited_regions.h"
#include "algebra/insight/summary/lock_waits.h"
#include "algebra/insight/summary/lone_thread.h"
#include "algebra/insight/summary/problems.h"
#include "algebra/insight/summary/shared_work.h"
#include "algebra/insight/summary/slow_node.h"
#include "algebra/insight/summary/spread.h"
#include "algebra/insight/summary/starvation.h"
#include "algebra/insight/summary/words.h"
#include "algebra/insight/summary/wrong_order.h"
#include "base/text.h"

namespace holos::algebra {
namespace {

/// Of so many a problem is told each by itself.
constexpr std::size_t kFewPlaces = 2;

class DelaySearch {
  public:
    explicit DelaySearch(const Measures& measures)
        : measures_(measures),
          tree_(measures.experiment().callTree),
          least_(measures.time() * kWorthSaying / 100),
          starvation_(starvationOfCalls(measures)),
          notSplit_(starvationThatMatters(measures)),
          delays_(delaysOf(measures)) {}

    std::vector<Problem> run() {
        wrongOrder_ = takeOutWrongOrder(measures_, least_, delays_);
        for (LockProblem& lock : lockProblems(measures_, least_)) {
            locks_.push_back({problems_.size(), lock.user});
            problems_.push_back(std::move(lock.problem));
        }
        findIdleThreads();
        if (auto slow = slowNode(measures_, delays_); slow && slow->problem.cost >= least_) {
            problems_.push_back(std::move(slow->problem));
            for (std::vector<double>& values : delays_.byRule) scale(values, 1 - slow->share);
        }
        findLateOnes();
        joinSleepOfIdleThreads();
        if (wrongOrder_) {
            wrongOrder_->problem.gain = gainOfOrder(measures_, delays_, *wrongOrder_);
            problems_.insert(problems_.begin(), std::move(wrongOrder_->problem));
        }
        if (auto lone = loneThreadProblem(measures_); lone && !isTold(*lone))
            problems_.push_back(std::move(*lone));
        return std::move(problems_);
    }

  private:
    /// Other problems have the same threads, or are of waits for one of several that work one at a time, and
    /// are not much smaller together.
    bool isTold(const Problem& lone) const {
        constexpr double kMuch = 0.5;
        double told = 0, awaited = 0;
        for (const Problem& problem : problems_) {
            const bool areSame =
                std::ranges::find_first_of(problem.locations, lone.locations) != problem.locations.end();
            if (areSame) told = std::max(told, problem.cost);
            if (isOfWaits(problem)) awaited += problem.cost;
        }
        return std::max(told, awaited) >= kMuch * lone.cost;
    }

    static void scale(std::vector<double>& values, double factor) {
        for (double& value : values) value *= factor;
    }

    void findIdleThreads() {
        const WaitRule& rule = idleThreads();
        std::vector<double> values = measures_.perPath(delays_.areCauses ? rule.delays : rule.waits);
        const std::vector<double> others = idleThreadsOfOthers();
        std::transform(values.begin(), values.end(), others.begin(), values.begin(), std::minus<>());
        leaveOutStart(values);
        for (const CallPathId path : tree_.ids())
            if (isNotOfProgram(measures_, path)) values[path.index()] = 0;
        if (!delays_.areCauses) {  // else nobody causes it that a region has few threads
            const std::vector<double> inRegions = idleInRegions(measures_);
            std::transform(values.begin(), values.end(), inRegions.begin(), values.begin(), std::minus<>());
            leaveOutWaits(values);
        }
        std::ranges::move(limitedRegions(measures_, least_), std::back_inserter(problems_));
        std::vector<Place> places = placesOf(tree_, values, least_);
        joinNested(places);
        if (!delays_.areCauses) addIdleInMpi(values, places);
        std::string most;
        if (places.size() > kFewPlaces) {  // all over the program
            most = "most of it in " + pathText(measures_.experiment(), places.front().path);
            const CallPathId common = commonCaller(places);
            places = {{common, inclusiveOf(tree_, values)[common.index()]}};
        }
        for (const Place& place : places) {
            Problem& problem = addIdleThreads(place, pathsOf(place, places, values));
            if (isMostlyInMpi(values, place.path))
                problem.what = "Threads are idle while the first one of their process communicates";
            problem.why = most;
        }
    }

    /// What a profile tells of waiting in MPI is another problem's.
    void leaveOutWaits(std::vector<double>& values) const {
        const Complement waits = complementOf(measures_);
        const auto leaveOut = [&](const MetricNames& metrics, double waited) {
            const double all = measures_.total(metrics);
            if (!(waited > 0) || !(all > 0)) return;
            const std::vector<double> times = measures_.perPath(metrics);
            for (std::size_t path = 0; path < values.size(); ++path)
                if (times[path] > 0) values[path] *= std::max(0.0, 1 - waited / all);
        };
        leaveOut({"mpi_point2point"}, waits.inMessages);
        leaveOut({"mpi_collective", "mpi_sync_collective"}, waits.inCollectives);
    }

    /// Without causes the first thread may wait in MPI for others: this is one problem, of all such places.
    void addIdleInMpi(const std::vector<double>& values, std::vector<Place>& places) {
        const auto begin = std::stable_partition(places.begin(), places.end(), [&](const Place& place) {
            return !isMostlyInMpi(values, place.path);
        });
        const std::vector<Place> inMpi(begin, places.end());
        if (inMpi.empty()) return;
        places.erase(begin, places.end());
        Place all{commonCaller(inMpi), 0};
        std::vector<CallPathChoice> paths;
        for (const Place& place : inMpi) {
            all.value += place.value;
            std::ranges::copy(pathsOf(place, inMpi, values), std::back_inserter(paths));
        }
        Problem& problem = addIdleThreads(all, paths);
        problem.what = "Threads are idle while the first one of their process is in MPI";
        problem.why = "it is not known whether it waits there for other processes";
        if (inMpi.size() > 1)
            problem.why += "; most of it in " + pathText(measures_.experiment(), inMpi.front().path);
        problem.remedy =
            "first record and analyze a trace, which shows whom it waits for; the rest is communication, during "
            "which other threads could compute";
        problem.gain.reset();
    }

    /// Of processes whose first thread waits for another process: who makes it wait is late.
    std::vector<double> idleThreadsOfOthers() const {
        return measures_.perPath(delays_.areCauses ? idleThreads().handedOn : MetricNames{});
    }

    /// Because of a place, without those because of other places within it.
    double idleThreadsOfOthersAt(const Place& place, const std::vector<Place>& places) const {
        const std::vector<double> idle = inclusiveOf(tree_, idleThreadsOfOthers());
        double here = idle[place.path.index()];
        for (const Place& other : places)
            if (other.path != place.path && tree_.isWithin(other.path, place.path))
                here -= idle[other.path.index()];
        return std::max(0.0, here);
    }

    /// Call paths that call each other are one place: that of the larger value, which come first.
    void joinNested(std::vector<Place>& places) const {
        std::vector<Place> joined;
        for (const Place& place : places) {
            const auto same = std::ranges::find_if(joined, [&](const Place& other) {
                return tree_.isWithin(place.path, other.path) || tree_.isWithin(other.path, place.path);
            });
            if (same == joined.end())
                joined.push_back(place);
            else
                same->value += place.value;
        }
        places = std::move(joined);
    }

    /// Nobody can share out what starts and ends MPI, and what is before and after `main`: that it takes long
    /// is a problem of its own.
    void leaveOutStart(std::vector<double>& values) const {
        const std::vector<double> start = measures_.perPath({"mpi_init_exit"});
        for (const CallPathId path : tree_.ids())
            if (start[path.index()] > 0 || isAroundMain(path)) values[path.index()] = 0;
    }

    /// Where the system loads a program and its libraries, and the C library ends it.
    bool isAroundMain(CallPathId path) const {
        return !tree_.parent(path) && std::ranges::any_of(tree_.children(path), [&](CallPathId child) {
            return measures_.experiment().regionOf(child).name == "main";
        });
    }

    /// Finds processes that come to `main` later than others: these wait for them in MPI for the first time.
    void findLateStart(const std::vector<double>& delays) {
        for (const CallPathId root : tree_.ids()) {
            const double cost = delays[root.index()];
            if (cost < least_ || !delays_.areCauses || !isAroundMain(root)) continue;
            std::vector<double> times(measures_.experiment().system.locations.size(), 0.0);
            for (const LocationId thread : measures_.threads())
                times[thread.index()] =
                    aggregate(measures_.experiment(), {*measures_.find("time")}, {{root, Extent::Exclusive}},
                              std::vector<LocationId>{thread});
            const std::vector<Member> members = processMembers(measures_, times);
            const Spread spread = spreadOf(members);
            if (spread.shape == Spread::Shape::Even) continue;
            Problem problem = problemOf(measures_, "late-start", cost);
            placeAt(measures_, root, problem);
            problem.who = spreadText(spread, members, measures_.experiment());
            if (starvation_ > 0)
                problem.why = "uncertain: threads waited for processors, which makes some late, too";
            problem.gain = std::min(perThread(cost), spread.theirs - spread.others);
            for (const std::size_t member : spread.members)
                problem.locations.insert(problem.locations.end(), members[member].locations.begin(),
                                         members[member].locations.end());
            addEvidence(measures_, {"delay"}, "waiting of others that this causes", root, problem.locations,
                        problem);
            problems_.push_back(std::move(problem));
        }
    }

    /// With what it calls.
    bool isMostlyInMpi(const std::vector<double>& values, CallPathId path) const {
        double inMpi = 0, all = 0;
        for (const CallPathId at : tree_.subtree(path)) {
            all += values[at.index()];
            if (measures_.experiment().regionOf(at).paradigm == "mpi") inMpi += values[at.index()];
        }
        return 2 * inMpi > all;
    }

    /// Call paths of which a place consists, without those of other places within it.
    std::vector<CallPathChoice> pathsOf(const Place& place, const std::vector<Place>& places,
                                        const std::vector<double>& values) const {
        std::vector<CallPathChoice> paths;
        for (const CallPathId path : tree_.subtree(place.path)) {
            const bool isOfAnother = std::ranges::any_of(places, [&](const Place& other) {
                return other.path != place.path && tree_.isWithin(other.path, place.path) &&
                       tree_.isWithin(path, other.path);
            });
            if (values[path.index()] > 0 && !isOfAnother) paths.push_back({path, Extent::Exclusive});
        }
        return paths;
    }

    /// `paths`: because of which they are idle.
    Problem& addIdleThreads(const Place& place, const std::vector<CallPathChoice>& paths) {
        const WaitRule& rule = idleThreads();
        Problem& problem = problems_.emplace_back(problemOf(measures_, "serial", place.value));
        placeAt(measures_, place.path, problem);
        problem.what = "Threads are idle while only the first one of their process works";
        const std::vector<CountedProcess> processes = processesWithIdleThreads(paths);
        std::size_t threads = 0;
        for (const CountedProcess& process : processes) threads += process.threads.size();
        problem.who = processesText(processes) + " with " + counted(threads, "thread") + " in all";
        problem.gain = std::min(perThread(place.value), gainOfIdleThreads(measures_));
        if (doFirstOnesSleep(processes, place.path)) {
            idleBySleep_.push_back(problems_.size() - 1);
            problem.isSleep = true;
            problem.what = "Threads are idle while the first one of their process sleeps";
            problem.remedy = std::string(kSleepRemedy) + "; or let the others do something meanwhile";
            problem.gain =
                place.value / static_cast<double>(std::max(processes.size() + 1, threads) - processes.size());
        }
        addEvidence(measures_, delays_.areCauses ? rule.delays : rule.waits,
                    "time of the threads that are idle", place.path, kAll, problem);
        addEvidence(measures_, {"time"}, "time of the threads that work", place.path, kAll, problem);
        return problem;
    }

    /// The processes that have idle threads because of call paths; of the others next to nothing is.
    std::vector<CountedProcess> processesWithIdleThreads(const std::vector<CallPathChoice>& paths) const {
        constexpr double kHardlyAny = 0.1;
        const WaitRule& rule = idleThreads();
        std::vector<double> idle(measures_.experiment().system.locations.size(), 0.0);
        for (const char* name : delays_.areCauses ? rule.delays : rule.waits)
            if (const auto metric = measures_.find(name))
                std::ranges::transform(idle, perLocation(measures_.experiment(), {*metric}, paths),
                                       idle.begin(), std::plus<>());
        const auto idleIn = [&](const CountedProcess& process) {
            double sum = 0;
            for (const LocationId thread : process.threads) sum += idle[thread.index()];
            return sum;
        };
        double most = 0;
        for (const CountedProcess& process : measures_.processes()) most = std::max(most, idleIn(process));
        std::vector<CountedProcess> processes;
        std::ranges::copy_if(
            measures_.processes(), std::back_inserter(processes),
            [&](const CountedProcess& process) { return idleIn(process) >= kHardlyAny * most; });
        return processes;
    }

    /// `2 processes`, `3 of 8 processes`, or the only one of several by its name.
    std::string processesText(const std::vector<CountedProcess>& processes) const {
        const std::size_t all = measures_.processes().size();
        if (processes.size() == all) return counted(all, "process");
        if (processes.size() == 1) return measures_.experiment().system[processes.front().process].name;
        return std::to_string(processes.size()) + " of " + counted(all, "process");
    }

    bool doFirstOnesSleep(const std::vector<CountedProcess>& processes, CallPathId place) const {
        constexpr double kMostly = 0.5;
        const std::vector<double> sleep = measures_.perLocation(sleepTimes(), place),
                                  work = measures_.perLocation({"comp"}, place);
        double asleep = 0, all = 0;
        for (const CountedProcess& process : processes) {
            const std::size_t first = process.threads.front().index();
            asleep += sleep[first];
            all += sleep[first] + work[first];
        }
        return asleep > kMostly * all;
    }

    /// What the first thread of a process sleeps makes other threads idle and other processes wait: it is
    /// told once, where these wait.
    void joinSleepOfIdleThreads() {
        for (auto at = idleBySleep_.rbegin(); at != idleBySleep_.rend(); ++at) {
            const Problem idle = problems_[*at];
            const auto late = std::ranges::find_if(problems_, [&](const Problem& other) {
                return other.isSleep && other.path && other.kind != "lock" &&
                       std::ranges::count(idleBySleep_,
                                          static_cast<std::size_t>(&other - problems_.data())) == 0 &&
                       (tree_.isWithin(*other.path, *idle.path) || tree_.isWithin(*idle.path, *other.path));
            });
            if (late == problems_.end()) continue;
            late->cost += idle.cost;
            late->percent = measures_.percent(late->cost);
            problems_.erase(problems_.begin() + static_cast<std::ptrdiff_t>(*at));
        }
    }

    /// The deepest call path that all places are within.
    CallPathId commonCaller(const std::vector<Place>& places) const {
        CallPathId common = places.front().path;
        for (const Place& place : places)
            while (!tree_.isWithin(place.path, common) && tree_.parent(common))
                common = *tree_.parent(common);
        return common;
    }

    void findLateOnes() {
        std::vector<double> all(tree_.size(), 0.0);
        for (const std::vector<double>& values : delays_.byRule)
            std::transform(all.begin(), all.end(), values.begin(), all.begin(), std::plus<>());
        findLateStart(all);
        leaveOutStart(all);
        std::vector<Place> places = placesOf(tree_, all, least_);
        if (delays_.areCauses) joinMeetings(measures_, delays_, places);
        std::vector<Place> working, withoutWork;
        for (const Place& place : places)
            (doesNobodyWork(place, places) ? withoutWork : working).push_back(place);
        places = std::move(working);
        for (const Place& place : places) {
            const auto lock = std::ranges::find_if(locks_, [&](const auto& each) {
                return tree_.isWithin(place.path, each.second) &&
                       place.value <= mostBecauseOf(problems_[each.first]);
            });
            if (lock != locks_.end()) {  // who comes late because it had or wanted the lock
                addTo(problems_[lock->first], place.value);
                continue;
            }
            std::vector<Problem> late = lateness(measures_, delays_, place, places);
            if (late.empty()) continue;
            late.front().cost += idleThreadsOfOthersAt(place, places);
            late.front().percent = measures_.percent(late.front().cost);
            const bool isAll = late.size() == 1;
            for (Problem& problem : late) tell(std::move(problem), place, places, isAll);
        }
        for (const Place& place : withoutWork) addToOthers(place);
    }

    /// Adds a problem of those who are late in a place, or what it costs to another one that tells of the
    /// same. `isAll`: nothing else is told of the place.
    void tell(Problem late, const Place& place, const std::vector<Place>& places, bool isAll) {
        if (late.kind == "late-communication" && late.cost <= starvation_) return;
        if (isByChance(late)) return;
        if (late.kind == "join" && !delays_.areOneAtATime && isEndOfLocks(late))
            return addTo(problems_[locks_.front().first], late.cost);
        if (Problem* const same = sameAs(late)) return join(*same, std::move(late), place, places, isAll);
        const bool isInTurn = late.kind == "in-turn";
        // Who comes late because it waited.
        if (wrongOrder_ &&
            (isInTurn || late.pattern == wordOf(Spread::Shape::Even) ||
             isByOrderAlone(late, place, places)) &&
            mayExplain(measures_, *wrongOrder_, late.cost)) {
            wrongOrder_->handedOn += late.cost;
            return addTo(wrongOrder_->problem, late.cost);
        }
        if (isInTurn && inTurn_)  // of one row
            return addTo(problems_[*inTurn_], late.cost, late.gain.value_or(0));
        if (isInTurn) inTurn_ = problems_.size();
        if (isAll) placesOfProblems_.emplace(problems_.size(), place);
        problems_.push_back(std::move(late));
    }

    /// Whether all who are late have waited for messages in wrong order, and work no more than the others in
    /// the whole run.
    bool isByOrderAlone(const Problem& late, const Place& place, const std::vector<Place>& places) const {
        const std::vector<LocationId>& waiters = wrongOrder_->problem.locations;
        const bool haveWaited = std::ranges::all_of(
            late.locations, [&](LocationId thread) { return std::ranges::count(waiters, thread) > 0; });
        if (late.locations.empty() || !haveWaited) return false;
        const LatePlace latePlace(measures_, delays_, place, places);
        LateWorkers workers(latePlace, nullptr, areAwakeAt(latePlace));
        const Spread spread = workers.spreadOfLate(workers.workers());
        return !spread.members.empty() && !workers.workMoreInAll(spread);
    }

    /// Each second that one waits for a lock makes all others wait for it later, or little more.
    double mostBecauseOf(const Problem& lock) const {
        return lock.cost * static_cast<double>(measures_.threads().size());
    }

    /// Whether threads that others wait for neither compute nor sleep there, nor are in MPI or files, such as
    /// in a barrier in which they come to their tasks late.
    bool doesNobodyWork(const Place& place, const std::vector<Place>& places) const {
        constexpr double kHardly = 0.01;        // of what one has to do to make all others wait
        if (!place.also.empty()) return false;  // who come to one barrier in several ways
        const WaitRule& rule = mostlyWaitedFor(measures_, delays_, place);
        const bool isOfWork = rule.problem == nullptr || rule.problem == std::string_view("large-task");
        if (!delays_.areCauses || rule.among != WaitRule::Among::Threads || !isOfWork) return false;
        const std::vector<double> times = measures_.perPath({"comp", "system_waiting", "mpi", "file_io"});
        double worked = 0;
        for (const CallPathId path : tree_.subtree(place.path)) {
            const bool isOfAnother = std::ranges::any_of(places, [&](const Place& other) {
                return other.path != place.path && tree_.isWithin(other.path, place.path) &&
                       tree_.isWithin(path, other.path);
            });
            if (!isOfAnother) worked += times[path.index()];
        }
        return worked * static_cast<double>(measures_.threads().size()) < kHardly * place.value;
    }

    /// Others wait there for those who work beside it, such as in the tasks of the same parallel region; if
    /// nobody does, nothing is known of it.
    void addToOthers(const Place& place) {
        constexpr auto kOfWork = std::to_array<std::string_view>(
            {"imbalance", "growing-imbalance", "serial", "in-turn", "large-task"});
        const CallPathId around = tree_.parent(place.path).value_or(place.path);
        for (Problem& problem : problems_)
            if (std::ranges::count(kOfWork, problem.kind) > 0 && problem.path &&
                tree_.isWithin(*problem.path, around))
                return addTo(problem, place.value);
    }

    /// Threads of which the last one ends late because it waited longer: more even work alone does not help.
    /// True where that was for locks, of which a problem tells already.
    bool isEndOfLocks(Problem& late) const {
        constexpr double kMostly = 0.5;
        const LateEnd end = lateEndOf(measures_, joinedThreads(measures_, waitRules()[positionOfRule("join")],
                                                               {"comp", "system_waiting"}));
        if (!end.isByWaits()) return false;
        if (end.atLocks > kMostly * end.waits && !locks_.empty()) return true;
        late.why += std::string(late.why.empty() ? "" : "; ") +
                    "the one that ends last does not work longer than the others, but waits longer";
        late.remedy = "see what it waits for, and make that come earlier; more even work alone does not help";
        late.gain.reset();
        return false;
    }

    /// Who had no processor, and nobody knows when, is late anywhere, now one, now another. Who sleeps needs
    /// none.
    bool isByChance(const Problem& late) const {
        const bool isInTurn = late.kind == "imbalance" && late.pattern == wordOf(Spread::Shape::Even);
        const bool hasNoPattern = late.pattern == wordOf(Spread::Shape::Irregular);
        return (isInTurn || hasNoPattern) && !late.isSleep && late.cost <= notSplit_;
    }

    /// Whether nothing is told of the problem but who waits for another one, and for whom.
    static bool isOfWaits(const Problem& late) { return late.kind == "signal" || late.kind == "wake"; }

    /// Of the same threads one problem is told, wherever they are late: of all these places, with what they
    /// do in all of them, and with what all of them bring. Where more is told of one of the places, what is
    /// said of both is said of the one that costs more.
    void join(Problem& problem, Problem late, const Place& place, const std::vector<Place>& places,
              bool isAll) {
        const double cost = problem.cost + late.cost;
        const auto all = placesOfProblems_.find(static_cast<std::size_t>(&problem - problems_.data()));
        std::vector<Problem> both;
        if (all != placesOfProblems_.end() && isAll) {
            add(place, all->second);
            both = lateness(measures_, delays_, all->second, places);
        } else if (all != placesOfProblems_.end()) {
            placesOfProblems_.erase(all);
        }
        if (both.size() == 1 && both.front().kind == late.kind &&
            (isOfWaits(late) || both.front().locations == late.locations)) {
            problem = std::move(both.front());
        } else {
            if (late.cost > problem.cost) std::swap(problem, late);
            if (late.gain) problem.gain = problem.gain.value_or(0) + *late.gain;
        }
        problem.cost = cost;
        problem.percent = measures_.percent(cost);
    }

    /// The larger ones come first; what is done in one that calls another one is done in both.
    void add(const Place& place, Place& all) const {
        all.value += place.value;
        all.also.push_back(place.path);
        if (tree_.isWithin(all.path, place.path)) std::swap(all.path, all.also.back());
    }

    /// A problem of the same kind and of the same threads, in a call path that calls this one or is called by
    /// it.
    /// A message needs its other end in whatever work that is.
    Problem* sameAs(const Problem& late) {
        if (isOfWaits(late)) {
            const auto same = std::ranges::find_if(problems_, [&](const Problem& problem) {
                return problem.kind == late.kind && problem.isSleep == late.isSleep &&
                       (problem.locations == late.locations ||
                        std::ranges::find_first_of(problem.locations, late.locations) !=
                            problem.locations.end());
            });
            return same == problems_.end() ? nullptr : &*same;
        }
        if (!late.path || late.locations.empty()) return nullptr;
        for (Problem& problem : problems_)
            if (problem.path && problem.kind == late.kind && problem.isSleep == late.isSleep &&
                problem.locations == late.locations &&
                (late.kind == "late-progress" || tree_.isWithin(*problem.path, *late.path) ||
                 tree_.isWithin(*late.path, *problem.path)))
                return &problem;
        return nullptr;
    }

    void addTo(Problem& problem, double cost) const { addTo(problem, cost, perThread(cost)); }
    void addTo(Problem& problem, double cost, double gain) const {
        problem.gain = problem.gain.value_or(0) + gain;
        problem.cost += cost;
        problem.percent = measures_.percent(problem.cost);
    }

    double perThread(double cost) const { return cost / static_cast<double>(measures_.threads().size()); }

    const Measures& measures_;
    const CallTree& tree_;
    double least_;
    double starvation_;  ///< calls of MPI may take as much longer
    double notSplit_;    ///< work may take as much longer
    Delays delays_;
    std::vector<Problem> problems_;
    std::optional<WrongOrder> wrongOrder_;
    std::optional<std::size_t> inTurn_;     ///< position of the problem of those who work one after the other
    std::vector<std::size_t> idleBySleep_;  ///< positions of problems of threads that are idle meanwhile
    std::map<std::size_t, Place> placesOfProblems_;  ///< by position of a problem that tells of these alone
    /// Positions of problems of locks, and the call path in which the lock is wanted and had.
    std::vector<std::pair<std::size_t, CallPathId>> locks_;
};

}  // namespace

std::vector<Problem> delayProblems(const Measures& measures) {
    return DelaySearch(measures).run();
}

}  // namespace holos::algebra
