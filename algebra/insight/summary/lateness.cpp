// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/lateness.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "algebra/insight/summary/awaited_threads.h"
#include "algebra/insight/summary/caused_waits.h"
#include "algebra/insight/summary/evidence.h"
#include "algebra/insight/summary/joined_threads.h"
#include "algebra/insight/summary/late_blame.h"
#include "algebra/insight/summary/late_gain.h"
#include "algebra/insight/summary/late_place.h"
#include "algebra/insight/summary/late_sleep.h"
#include "algebra/insight/summary/late_titles.h"
#include "algebra/insight/summary/late_workers.h"
#include "algebra/insight/summary/shared_work.h"
#include "algebra/insight/summary/sleep.h"
#include "algebra/insight/summary/spread.h"
#include "algebra/insight/summary/starvation.h"
#include "algebra/insight/summary/task_runs.h"
#include "algebra/insight/summary/words.h"
#include "base/text.h"

namespace holos::algebra {

namespace {

constexpr const char* kUncertain = "uncertain: threads waited for processors, which makes some late, too";

constexpr const char* kMayServe =
    "uncertain: it is threads beside the first ones of their processes that wait for messages; those that only "
    "serve requests have to, and lose nothing";

/// Says which problem it is that some are late in a place.
class Lateness {
  public:
    Lateness(const Measures& measures, const Delays& delays, const Place& place, std::span<const Place> all)
        : measures_(measures),
          place_(measures, delays, place, all),
          waits_(place_),
          workers_(place_, waits_.areOfThreads() ? &waits_.rule() : nullptr, areAwakeAt(place_)) {}

    std::vector<Problem> describe() {
        if (isCommunication()) return {finished(ofCommunication())};
        if (std::vector<Problem> problems = ofBlamedOnes(); !problems.empty()) return problems;
        Problem first = ofWork();
        if (isCalledWork(first) && isForNoWork(workers_, workers_.spreadOfLate(workers_.workers())))
            return {};
        if (!toldTogether_.empty()) addTo(first.why, toldTogether_);
        std::vector<Problem> problems;
        if (auto more = moreThanItsTurn(first)) problems.push_back(std::move(*more));
        problems.insert(problems.begin(), finished(std::move(first)));
        return problems;
    }

  private:
    /// A thread that serves requests waits for these by its nature.
    void doubtWaitsForRequests(Problem& problem) const {
        if (!waits_.mayBeForRequests(problem.locations)) return;
        addTo(problem.why, kMayServe);
        problem.gain.reset();
    }

    /// With where it is, how others wait, and what is uncertain.
    Problem finished(Problem problem) const {
        placeAt(measures_, place_.path(), problem);
        const std::string waiting = waits_.text(problem);
        if (!waiting.empty()) addTo(problem.why, waiting);
        doubtWaitsForRequests(problem);
        if (problem.kind == "signal" && waits_.haveTimeouts())
            addTo(
                problem.why,
                "uncertain: most of these waits have a timeout, and it is not known which of them it ended");
        if ((isStarved() || mayLackProcessors(place_, beyond_, problem)) && !idleness_.isAsleep)
            addTo(problem.why, kUncertain);
        return problem;
    }

    /// Whether the problem is that some work longer, or in turn.
    static bool isCalledWork(const Problem& problem) {
        constexpr auto kKinds =
            std::to_array<std::string_view>({"imbalance", "growing-imbalance", "serial", "in-turn"});
        return !problem.isSleep && std::ranges::count(kKinds, problem.kind) > 0;
    }

    static void addTo(std::string& text, const std::string& more) {
        text += (text.empty() ? "" : "; ") + more;
    }

    /// Threads had no processor for so long that others may be late for that alone.
    bool isStarved() const { return starvationThatMatters(measures_) > 0; }

    Problem problemOfKind(const char* kind) const { return problemOf(measures_, kind, place_.cost()); }

    double perThread() const { return place_.cost() / static_cast<double>(measures_.threads().size()); }

    double percentOf(double seconds) const { return measures_.percent(seconds); }

    void addCausedWaits(Problem& problem) const {
        addEvidence(measures_, delaysOfAllWaits(), "waiting of others that this causes", place_.path(), kAll,
                    problem);
    }

    void addReasons(const Spread& spread, const std::vector<Member>& members, Problem& problem) const {
        workers_.describe(spread, members, problem);
        problem.gain = gainOfLate(workers_, waits_, spread, members, idleness_);
    }

    /// Whether the delays are in calls of MPI, mostly.
    bool isCommunication() const {
        if (!place_.delays().areCauses) return false;
        double inMpi = 0, all = 0;
        for (const CallPathId path : place_.paths())
            for (const std::vector<double>& values : place_.delays().byRule) {
                all += values[path.index()];
                if (measures_.experiment().regionOf(path).paradigm == "mpi") inMpi += values[path.index()];
            }
        return inMpi > kMainPart * all;
    }

    Problem ofCommunication() const {
        Problem problem = problemOfKind("late-communication");
        problem.gain = perThread();
        const std::vector<Member> members =
            processMembers(measures_, measures_.perLocation(waits_.rule().delays, place_.path()));
        const auto most = std::ranges::max_element(members, {}, &Member::value);
        double all = 0;
        for (const Member& member : members) all += member.value;
        if (all > 0)
            problem.who = fmt::format("{} causes {} of it", most->name, percentText(100 * most->value / all));
        addEvidence(measures_, delaysOfAllWaits(), "waiting of others that these calls cause", place_.path(),
                    kAll, problem);
        return problem;
    }

    Problem ofWork() {
        for (const char* const kind : {"wake", "signal"})
            if (waits_.isProblem(kind)) return unlessAsleep(awaitedThreads(workers_, waits_, kind));
        if (waits_.isProblem("join")) return unlessAsleep(ofJoins());
        if (isForWindowLocks()) return awaitedThreads(workers_, waits_, "window-lock");
        std::vector<Member> members = workers_.workers();
        Spread spread = workers_.spreadOfLate(members);
        beyond_ = spread.theirs - spread.others;
        if (members.size() < 2) return ofNobodyKnown();
        if (waits_.rule().problem != nullptr) return ofKind(waits_.rule().problem, spread, members);
        if (workers_.areInTurn(spread)) return ofTurns(spread, members);
        if (workers_.workElsewhere(spread)) {
            workers_.compareInCaller(spread);
            members = workers_.workers();
            spread = workers_.spreadOfLate(members);
        }
        return ofUnevenWork(spread, members);
    }

    /// Several faults may meet in one place: in some calls others wait for one, in other calls for another
    /// one, and what each does there in all is about the same, or hides who is late.
    std::vector<Problem> ofBlamedOnes() {
        constexpr double kNearlyAll = 0.8;
        const bool areCompared = place_.delays().areCauses && waits_.rule().problem == nullptr;
        if (!areCompared || isForWindowLocks() || isForOneThread()) return {};
        const std::vector<BlamedOne> blamed = blamedIn(workers_);
        double known = 0;
        for (const BlamedOne& one : blamed) {
            known += one.seconds;
        }
        if (blamed.empty() || known < kNearlyAll * place_.cost()) return {};
        const std::vector<Member> members = workers_.workers();
        if (std::ranges::any_of(blamed, [&](const BlamedOne& one) { return one.seconds < leastToTell(); })) {
            if (blamed.size() > 1) toldTogether_ = togetherText(blamed, members);
            return {};
        }
        if (blamed.size() == 1 && !isHidden(blamed.front(), workers_.spreadOfLate(members))) return {};
        std::vector<Problem> problems;
        for (const BlamedOne& one : blamed)
            problems.push_back(
                ofBlamed(one, members, one.seconds / known * place_.cost(), blamed.size() > 1));
        return problems;
    }

    /// Of several that are late in different calls, each too little to be a problem by itself.
    static std::string togetherText(const std::vector<BlamedOne>& blamed,
                                    const std::vector<Member>& members) {
        std::vector<std::string> parts;
        for (const BlamedOne& one : blamed)
            parts.push_back(secondsText(one.seconds) + " for " + members[one.member].name);
        return "in different calls others wait " + listOf(parts);
    }

    /// Less would not be said, or not beside the lack of processors: all together may be.
    double leastToTell() const {
        const Starvation starvation = starvationOf(measures_);
        const double lacking =
            starvation.isSplit ? starvation.ofComputation + place_.delays().ofShortage : 0.0;
        return std::max(kWorthSaying / 100 * measures_.time(), kBesideTheLargest * lacking);
    }

    /// All wait for the messages of one, but others do more there, or in what calls it: what they do is for
    /// other calls.
    bool isHidden(const BlamedOne& one, const Spread& spread) const {
        if (workers_.areInTurn(spread)) return false;
        if (spread.members.empty())  // what it does more in all does not explain how long others wait
            return workers_.uneven() && workers_.uneven()->members == std::vector{one.member};
        if (spread.members != std::vector{one.member}) return one.isOfMessages;
        if (!workers_.workElsewhere(spread)) return false;
        LateWorkers inCaller = workers_;
        inCaller.compareInCaller(spread);
        return inCaller.spreadOfLate(inCaller.workers()).members != spread.members;
    }

    Problem ofBlamed(const BlamedOne& one, const std::vector<Member>& members, double cost, bool areSeveral) {
        Problem problem = problemOf(measures_, "imbalance", cost);
        const Member& late = members[one.member];
        problem.what = fmt::format("One {} comes late, and the others wait",
                                   workers_.areThreads() ? "thread" : "process");
        problem.pattern = wordOf(Spread::Shape::One);
        problem.locations = late.locations;
        problem.who = fmt::format("others wait {} for {}", secondsText(cost), late.name);
        const std::vector<double> waits = measures_.perPath(one.waits);
        const auto most = std::ranges::max_element(waits);
        if (*most > 0)
            problem.why =
                "most of it in " +
                pathText(measures_.experiment(), CallPathId(static_cast<std::size_t>(most - waits.begin())));
        if (areSeveral)
            addTo(problem.why, "in other calls another one is late");
        else if (const auto& uneven = workers_.uneven(); uneven && uneven->members == std::vector{one.member})
            problem.who += "; " + spreadText(*uneven, members, measures_.experiment());
        // What it does longer than the others up to these calls.
        Spread longer;
        longer.shape = Spread::Shape::One;
        longer.members = {one.member};
        longer.theirs = cost / static_cast<double>(members.size() - 1);
        const double unseen = unseenSleepOf(workers_, longer, members);
        problem.isSleep = unseen > 0 || sleepIn(workers_, longer, members) > kMainPart;
        const double off = problem.isSleep ? 0 : offProcessorsOf(workers_, longer, members);
        problem.gain = std::max(0.0, longer.theirs - off);
        if (!problem.isSleep) problem.gain = std::min(*problem.gain, workOfLate(workers_, one.member));
        if (problem.isSleep) problem.remedy = kSleepRemedy;
        if (unseen > 0)
            problem.who +=
                fmt::format("; it sleeps there for at least {}, and the recorder does not see where",
                            secondsText(unseen));
        placeAt(measures_, place_.path(), problem);
        addCausedWaits(problem);
        addEvidence(measures_, one.waits, "waiting in such calls", std::nullopt, kAll, problem);
        const bool isByProcessors = isStarved() || mayLackProcessors(place_, longer.theirs, problem);
        if (isByProcessors && !problem.isSleep) addTo(problem.why, kUncertain);
        doubtWaitsForRequests(problem);
        if (problem.isSleep) addUnrecordedChildren(measures_, problem);
        return problem;
    }

    /// Of those who work one after the other, one may work more: the others wait for that, too, whatever the
    /// order is. That part is taken out of `turns`.
    std::optional<Problem> moreThanItsTurn(Problem& turns) {
        const auto& uneven = workers_.uneven();
        if (turns.kind != "in-turn" || !uneven || uneven->shape != Spread::Shape::One) return std::nullopt;
        const std::vector<Member> members = workers_.workers();
        const std::size_t one = uneven->members.front();
        const double more = uneven->theirs - uneven->others;
        const double cost =
            std::min(more * static_cast<double>(members.size() - 1), blamedBeyond(workers_, one));
        if (percentOf(cost) < kWorthSaying || cost >= turns.cost) return std::nullopt;
        const double unseen = unseenSleepOf(workers_, *uneven, members);
        Problem problem = problemOf(measures_, "imbalance", cost);
        problem.isSleep = unseen > 0 || sleepIn(workers_, *uneven, members) > kMainPart;
        problem.what = titleOfLateOnes(*uneven, workers_.areThreads(), problem.isSleep ? "sleep" : "work");
        problem.who = spreadText(*uneven, members, measures_.experiment());
        if (unseen > 0) problem.who += unseenSleepText(*uneven, unseen);
        problem.why = "the others wait for that beside waiting for their turn";
        if (problem.isSleep) problem.remedy = kSleepRemedy;
        problem.pattern = wordOf(uneven->shape);
        problem.locations = members[one].locations;
        problem.gain = std::min(more, cost);
        placeAt(measures_, place_.path(), problem);
        addCausedWaits(problem);
        if (isStarved() && !problem.isSleep) addTo(problem.why, kUncertain);
        turns.cost -= cost;
        turns.percent = percentOf(turns.cost);
        turns.gain = std::min(turns.gain.value_or(0), turns.cost);
        turns.who = fmt::format("without what {} does more, all work about as long there, {}",
                                members[one].name, secondsText(uneven->others));
        return problem;
    }

    /// Who is waited for and sleeps meanwhile, mostly, has nothing to do that others could do.
    Problem unlessAsleep(Problem problem) {
        const bool mayOverlap = problem.isOneAtATime && problem.pattern != "one";
        if (!isSleepAwaited(workers_) || mayOverlap) return problem;
        idleness_.isAsleep = problem.isSleep = true;
        problem.remedy = kSleepRemedy;
        addTo(problem.why, "those who are waited for sleep meanwhile, mostly");
        return problem;
    }

    Problem ofJoins() {
        LateThreads late =
            lateJoinedThreads(measures_, joinedThreads(measures_, waits_.rule(), workers_.work()),
                              place_.delays().areOneAtATime, place_.place());
        beyond_ = late.beyond;
        if (isSleepAwaited(workers_) && late.problem.locations.size() == 1)
            late.problem.limit = std::max(0.0, late.longest - late.problem.gain.value_or(0));
        late.problem.who += "; " + waitersText(measures_, waits_.rule());
        addCausedWaits(late.problem);
        return std::move(late.problem);
    }

    /// Whoever has the lock works no longer than others may do elsewhere.
    bool isForWindowLocks() const {
        const MetricNames &locks = waitsForWindowLocks(), &waits = waits_.rule().waits;
        if (std::ranges::count(waits, std::string_view(locks.front())) == 0) return false;
        return measures_.total(locks) > kMainPart * measures_.total(waits);
    }

    /// Of a run whose processes or threads were added up to one it is not known who waited for whom.
    Problem ofNobodyKnown() const {
        const char* const kind = waits_.rule().problem;
        Problem problem = problemOfKind(kind != nullptr ? kind : "imbalance");
        addCausedWaits(problem);
        return problem;
    }

    /// Of waiting that is called otherwise than that of all who wait for uneven work.
    Problem ofKind(const char* kind, const Spread& spread, const std::vector<Member>& members) {
        Problem problem = problemOfKind(kind);
        problem.who = workers_.whoText(spread, members);
        problem.pattern = wordOf(spread.shape);
        const bool isOfThreads = problem.kind == "ordered" || problem.kind == "large-task";
        idleness_.isAsleep = isOfThreads && sleepIn(workers_, spread, members) > kMainPart;
        addReasons(spread, members, problem);
        if (problem.kind == "ordered") describeTurn(problem);
        if (problem.kind == "large-task") describeTasks(problem);
        if (idleness_.isAsleep) {
            problem.isSleep = true;
            addTo(problem.why, "those who are waited for sleep there, mostly");
            problem.remedy = std::string(kSleepRemedy) + "; or " + problem.remedy;
        }
        const bool isUneven = spread.shape != Spread::Shape::Even &&
                              spread.theirs > kUnevenFrom * spread.others && workers_.workMoreInAll(spread);
        // If these messages or operations did not wait, others would, later.
        if (problem.kind == "late-progress" && isUneven) {
            problem.isSleep = sleepIn(workers_, spread, members) > kMainPart;
            problem.what =
                fmt::format("Communication waits until those who {} longer than the others call MPI again",
                            problem.isSleep ? "sleep" : "work");
            problem.remedy = (problem.isSleep ? std::string(kSleepRemedy)
                                              : "give those who are late less to do there, or others more") +
                             "; or " + problem.remedy;
        }
        return problem;
    }

    /// Tasks of which no two run at the same time are not too large.
    void describeTasks(Problem& problem) const {
        if (doesOneThreadRunAllTasks(measures_)) {
            problem.what = "One thread of a process runs all of its tasks, and the others wait";
            addTo(problem.why, "it is not known why the others have none to run");
            problem.remedy =
                "see whether each task depends on the one before, so that no two can run at the same time";
        } else if (doTasksRunInTurn(measures_, waits_.rule().waits)) {
            problem.what = "Tasks run one at a time, now in one thread, now in another, and the others wait";
            addTo(problem.why, "it is not known why no two of them run at the same time");
            problem.remedy =
                "see whether each task depends on the one before, so that no two can run at the same time; if "
                "not, whether they are created early enough, or one of them is much larger than the others";
        }
    }

    /// Work in front of an ordered construct makes others wait for their turn, too. What one does there all
    /// can share.
    void describeTurn(Problem& problem) const {
        problem.gain = perThread();
        for (std::optional<CallPathId> path = place_.path(); path; path = place_.tree().parent(*path)) {
            const Region& region = measures_.experiment().regionOf(*path);
            if (region.role == "ordered" || region.name.starts_with("!$omp ordered")) return;
        }
        problem.what = "Threads wait for their turn in an ordered construct, for one that comes late to it";
        problem.remedy =
            "do less in front of it in the iterations that others wait for, or more evenly; or keep the "
            "results, and do what needs the order after the loop";
    }

    Problem ofTurns(const Spread& spread, const std::vector<Member>& members) const {
        Problem problem = problemOfKind("in-turn");
        problem.who = spread.members.empty() && !workers_.uneven()
                          ? fmt::format("all work about as long there, {}", secondsText(spread.theirs))
                          : spreadText(workers_.uneven().value_or(spread), members, measures_.experiment());
        if (!spread.members.empty()) problem.who += inAllText(spread);
        for (const std::size_t member : spread.members)
            problem.locations.insert(problem.locations.end(), members[member].locations.begin(),
                                     members[member].locations.end());
        problem.gain = std::min(perThread(), gainOfSharedWork(workers_, {}));
        addCausedWaits(problem);
        return problem;
    }

    /// What those who are late do in the whole run, against the others.
    std::string inAllText(const Spread& spread) const {
        const std::vector<Member> inAll = workers_.workersInAll();
        const LateWork work = lateWorkOf(spread, inAll);
        const bool isOne = spread.members.size() == 1;
        std::string verb = isOne ? "it works" : "they work";
        if (!workers_.areAwake()) verb += isOne ? " and sleeps" : " and sleep";
        return fmt::format("; in the whole run {} {}, {} {}", verb, secondsText(work.theirs),
                           inAll.size() - spread.members.size() == 1 ? "the other one" : "the others",
                           secondsText(work.others));
    }

    /// Within a construct that one thread of each team executes, whichever it is.
    bool isForOneThread() const {
        for (std::optional<CallPathId> path = place_.path(); path; path = place_.tree().parent(*path)) {
            const Region& region = measures_.experiment().regionOf(*path);
            if (region.role == "single" || region.name.starts_with("!$omp single")) return true;
            if (region.paradigm == "openmp" && (region.role == "parallel" || region.role == "task"))
                return false;
        }
        return false;
    }

    /// Nobody of them has too much to do: the work is for one.
    Problem ofOneThread() const {
        Problem problem = problemOfKind("serial");
        problem.what = "The work of a single construct is for one thread, and the others wait";
        const std::vector<Member> members = workers_.members(timesWithoutTasks());
        const Spread spread = spreadOf(members, false);
        double all = 0;
        for (const Member& member : members) all += member.value;
        if (spread.shape == Spread::Shape::One && spread.others <= kAloneBelow * spread.theirs) {
            problem.who = loneText(spread, members) + " there";
            problem.pattern = wordOf(Spread::Shape::One);
            addReasons(spread, members, problem);
        } else {
            const std::vector<double> asleep = place_.times(sleepTimes(), workers_.path());
            problem.isSleep =
                !workers_.areAwake() && std::accumulate(asleep.begin(), asleep.end(), 0.0) > kMainPart * all;
            problem.who = fmt::format("now one thread {} there, now another, {} in all",
                                      problem.isSleep ? "sleeps" : "works", secondsText(all));
            if (problem.isSleep) {
                problem.what = "One thread sleeps in a single construct, and the others wait";
                problem.remedy = kSleepRemedy;
                problem.gain = perThread();
            }
            problem.pattern = wordOf(Spread::Shape::Even);
            addReasons({}, members, problem);
        }
        return problem;
    }

    /// Tasks that are created in the place may be run by any thread.
    std::vector<double> timesWithoutTasks() const {
        std::vector<double> times = workers_.times(workers_.work());
        std::vector<CallPathId> outermost;  // callers come first
        for (const CallPathId path : place_.paths()) {
            const bool isWithin = std::ranges::any_of(
                outermost, [&](CallPathId task) { return place_.tree().isWithin(path, task); });
            if (isWithin || !isTask(measures_.experiment(), path)) continue;
            outermost.push_back(path);
            const std::vector<double> tasks = place_.times(workers_.work(), path);
            std::ranges::transform(times, tasks, times.begin(),
                                   [](double own, double less) { return std::max(0.0, own - less); });
        }
        return times;
    }

    /// Some do more there than others, or one alone does all of it.
    Problem ofUnevenWork(const Spread& spread, const std::vector<Member>& members) {
        const bool isOnlyOne =
            spread.shape == Spread::Shape::One && spread.others <= kAloneBelow * spread.theirs;
        const double unseen = unseenSleepOf(workers_, spread, members);
        idleness_.isAsleep = unseen > 0 || sleepIn(workers_, spread, members) > kMainPart;
        if (!isOnlyOne && isForOneThread()) return ofOneThread();
        if (!idleness_.isAsleep) idleness_.offProcessors = offProcessorsOf(workers_, spread, members);
        beyond_ = spread.theirs - spread.others;
        const std::string working = isOnlyOne && idleness_.isAsleep ? workMeanwhileOf(spread, members) : "";
        const auto waits = isOnlyOne ? waitsOfOthers(spread, members) : std::nullopt;
        const bool isSerial = isOnlyOne && working.empty(), isAlone = isSerial && !waits;
        const auto growth = waits_.growth(isStarved());
        Problem problem = problemOfKind(isSerial ? "serial" : growth ? "growing-imbalance" : "imbalance");
        if (isSerial || !growth || (idleness_.isAsleep && spread.shape == Spread::Shape::Even))
            problem.what = titleOf(spread, isAlone, waits.has_value());
        problem.isSleep = idleness_.isAsleep;
        if (idleness_.isAsleep) problem.remedy = kSleepRemedy;
        problem.pattern = wordOf(spread.shape);
        problem.who = isAlone ? loneText(spread, members) + " alone"
                      : waits ? loneText(spread, members) + waitsText(*waits)
                              : workers_.whoText(spread, members);
        problem.who += working + idleText(spread, unseen);
        if (growth && !isSerial)
            problem.who += fmt::format(
                "; a wait in the last two fifths of the time since waiting began is {:.1f} times as long as "
                "in the first two",
                *growth);
        if (!growth) problem.who += waits_.phaseText();
        addReasons(spread, members, problem);
        if (!isAlone && !idleness_.isAsleep) workers_.tellOfFewerThreads(spread, members, problem);
        // Who sleeps elsewhere, or works, goes on with that.
        if (waits && idleness_.isAsleep) problem.gain = std::min(*problem.gain, waits->each);
        if (!working.empty()) problem.gain.reset();
        if (idleness_.isAsleep) addUnrecordedChildren(measures_, problem);
        const char* const remedy = remedyOfWaits(measures_.experiment().regionOf(place_.path()).name);
        if (idleness_.isAsleep && remedy != nullptr) {
            problem.remedy = remedy;
            problem.gain.reset();
        }
        return problem;
    }

    /// Which other one works for most of the time in which one sleeps: it may be that one for whom it waits.
    std::string workMeanwhileOf(const Spread& spread, const std::vector<Member>& members) const {
        const LocationId sleeper = members[spread.members.front()].locations.front();
        const auto work = workMeanwhile(measures_, sleeper, spread.theirs);
        return work && work->ready > kMainPart * spread.theirs ? ";" + work->text() : "";
    }

    const char* verb() const { return idleness_.isAsleep ? "sleep" : "work"; }

    std::string titleOf(const Spread& spread, bool isAlone, bool isAwaited) const {
        if (isAlone) return titleOfLoneOne(workers_.areThreads(), verb());
        if (isAwaited) return titleOfAwaitedOne(workers_.areThreads(), verb());
        if (idleness_.isAsleep && spread.shape == Spread::Shape::Even)
            return workers_.areThreads() ? "Threads sleep in turn, and the others wait"
                                         : "Processes sleep in turn, and the others wait";
        return titleOfLateOnes(spread, workers_.areThreads(), verb());
    }

    std::string loneText(const Spread& spread, const std::vector<Member>& members) const {
        const std::string does = idleness_.offProcessors > 0 ? "takes" : std::string(verb()) + "s";
        return fmt::format("{} {} {}", members[spread.members.front()].name, does,
                           secondsText(spread.theirs));
    }

    /// What each of `others` threads waits for somebody, on average.
    struct WaitsOfOthers {
        std::size_t others = 0;
        double each = 0;
    };

    /// Nobody else comes to the place: others may do something else at the same time, in places of their own,
    /// and wait for the rest alone. Nothing where they wait for nearly all of it.
    std::optional<WaitsOfOthers> waitsOfOthers(const Spread& spread,
                                               const std::vector<Member>& members) const {
        /// Of the time of the one: who waits less does not wait for it; who does not wait for so much works
        /// for as long as matters.
        constexpr double kHardlyAny = 0.1, kNearlyAll = 0.9;
        if (!place_.delays().areCauses) return std::nullopt;
        const Member& one = members[spread.members.front()];
        const SystemTree& system = measures_.experiment().system;
        const auto areComparedWith = [&](const Member& other) {  // threads wait within their process
            return !workers_.areThreads() ||
                   system[other.locations.front()].process == system[one.locations.front()].process;
        };
        WaitsOfOthers waits;
        waits.others = std::max(static_cast<std::size_t>(std::ranges::count_if(members, areComparedWith)) - 1,
                                waits_.waitersBeside({workers_.leading(one)}, kHardlyAny * spread.theirs));
        if (waits.others == 0) return std::nullopt;
        waits.each = place_.cost() / static_cast<double>(waits.others);
        return waits.each < kNearlyAll * spread.theirs ? std::optional(waits) : std::nullopt;
    }

    static std::string waitsText(const WaitsOfOthers& waits) {
        return waits.others == 1 ? fmt::format(" there; another one waits {} for it", secondsText(waits.each))
                                 : fmt::format(" there; {} others wait {} for it on average", waits.others,
                                               secondsText(waits.each));
    }

    /// What they were not at work for.
    std::string idleText(const Spread& spread, double unseen) const {
        std::string text;
        if (idleness_.offProcessors > 0) text += offProcessorsText(spread, idleness_.offProcessors);
        if (unseen > 0) text += unseenSleepText(spread, unseen);
        if (!idleness_.isAsleep) text += sleepBesidesText(workers_, spread);
        return text;
    }

    const Measures& measures_;
    LatePlace place_;
    CausedWaits waits_;
    LateWorkers workers_;
    std::optional<double> beyond_;  ///< seconds that each of those who are late works more than the others
    LateIdleness idleness_;
    std::string toldTogether_;
};

}  // namespace

std::vector<Problem> lateness(const Measures& measures, const Delays& delays, const Place& place,
                              std::span<const Place> all) {
    return Lateness(measures, delays, place, all).describe();
}

}  // namespace holos::algebra
