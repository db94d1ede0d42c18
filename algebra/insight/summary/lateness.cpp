// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/lateness.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <string_view>

#include "algebra/insight/summary/evidence.h"
#include "algebra/insight/summary/growth.h"
#include "algebra/insight/summary/joined_threads.h"
#include "algebra/insight/summary/reasons.h"
#include "algebra/insight/summary/spread.h"
#include "algebra/insight/summary/starvation.h"
#include "algebra/insight/summary/task_runs.h"
#include "algebra/insight/summary/words.h"
#include "algebra/model/processors.h"
#include "algebra/operators/history/recorded_run.h"
#include "base/text.h"

namespace holos::algebra {

namespace {

/// What those who come late do meanwhile.
const MetricNames kSleep{"system_waiting", "pthread_condition_timeout", "pthread_semaphore_timeout"};
const MetricNames kComputation{"comp"};
const MetricNames kWork{"comp", "system_waiting", "pthread_condition_timeout", "pthread_semaphore_timeout"};

/// Waits that end with what another thread does, and with its end.
constexpr const char* kWake = "wake";
constexpr const char* kSignal = "signal";
constexpr const char* kJoin = "join";
/// A part that decides what the whole is called, and one that stands for it.
constexpr double kMostly = 0.5, kStandsForAll = 0.8;
/// Late threads that work this many times as long as others would be waited for anyway.
constexpr double kUneven = 1.2;
/// More than a sum differs from its parts by rounding.
constexpr double kRoundedUp = 1.001;
/// Others do less than this part of what one does: it is alone.
constexpr double kAlone = 0.01;
/// Of the waiting that a part of the program causes, what comes through waits of others is at least this part
/// where these wait for each other in a row.
constexpr double kChained = 0.1;

/// What those who come late do for longer: `{}` is "work" or "sleep".
const char* titleOf(Spread::Shape shape, bool threads) {
    switch (shape) {
        case Spread::Shape::One:
            return threads ? "One thread {}s longer than the others, and they wait"
                           : "One process {}s longer than the others, and they wait";
        case Spread::Shape::Node:
            return "The processes of one node {} longer than the others, and these wait";
        case Spread::Shape::Border:
            return "Processes at the border {} longer than those inside, and these wait";
        case Spread::Shape::Parity:
            return threads ? "Every second thread {}s longer than the others, and these wait"
                           : "Every second process {}s longer than the others, and these wait";
        case Spread::Shape::Gradient:
            return threads ? "Each thread {}s longer than the one before, and all wait for the last"
                           : "Each process {}s longer than the one before, and all wait for the last";
        case Spread::Shape::Few:
            return threads ? "Some threads {} longer than the others, and these wait"
                           : "Some processes {} longer than the others, and these wait";
        case Spread::Shape::Even:
            return threads ? "Threads are late in turn, and the others wait"
                           : "Processes are late in turn, and the others wait";
        case Spread::Shape::Irregular:
            break;
    }
    return "Some {} longer than the others, and these wait";
}

const char* titleOfOne(bool threads) {
    return threads ? "One thread {}s alone, and the others wait"
                   : "One process {}s alone, and the others wait";
}

class Lateness {
  public:
    Lateness(const Measures& measures, const Delays& delays, const Place& place, std::span<const Place> all)
        : measures_(measures),
          delays_(delays),
          place_(place),
          all_(all),
          tree_(measures.experiment().callTree),
          compared_(place.path) {
        for (const std::vector<double>& values : delays.byRule) shares_.push_back(sumHere(values));
        rule_ = ruleOfMost();
        if (isAwake()) work_ = &kComputation;
        ofThreads_ = rule().among == WaitRule::Among::Threads || areOfOtherThreads();
        isStarved_ = starvationThatMatters(measures) > 0;
    }

    Problem describe() {
        Problem problem = isCommunication() ? ofCommunication() : ofWork();
        placeAt(measures_, place_.path, problem);
        const std::string waiting = waitingText(problem);
        if (!waiting.empty()) addTo(problem.why, waiting);
        if (problem.kind == kSignal && haveTimeouts())
            addTo(
                problem.why,
                "uncertain: most of these waits have a timeout, and it is not known which of them it ended");
        if ((isStarved_ || mayLackProcessors(problem)) && !isAsleep_)
            addTo(problem.why, "uncertain: threads waited for processors, which makes some late, too");
        return problem;
    }

  private:
    static void addTo(std::string& text, const std::string& more) {
        text += (text.empty() ? "" : "; ") + more;
    }

    /// All others wait for whoever has no processor for a while: now one is late, now another, no longer than
    /// that makes; or those who are late are so by no more than they waited for a processor themselves.
    bool mayLackProcessors(const Problem& problem) const {
        const auto others = static_cast<double>(measures_.threads().size()) - 1;
        if (problem.pattern == wordOf(Spread::Shape::Even) || problem.locations.empty())
            return place_.value <= others * starvationOf(measures_).seconds;
        return beyond_ && *beyond_ <= waitedForProcessors(problem.locations);
    }

    /// By one of these threads, on average.
    double waitedForProcessors(const std::vector<LocationId>& threads) const {
        double waited = 0;
        for (const LocationId thread : threads)
            if (const auto time = processorTimeOf(measures_.experiment().system[thread]))
                waited += time->waiting.value_or(0);
        return waited / static_cast<double>(std::max<std::size_t>(1, threads.size()));
    }

    /// What the place consists of, and what it calls.
    std::vector<CallPathId> pathsHere() const {
        std::vector<CallPathId> paths;
        for (const CallPathId outer : placeWithoutNested()) {
            const std::vector<CallPathId> more = tree_.subtree(outer);
            paths.insert(paths.end(), more.begin(), more.end());
        }
        return paths;
    }

    /// The call paths of the place that none of the others calls.
    std::vector<CallPathId> placeWithoutNested() const {
        std::vector<CallPathId> all{place_.path};
        all.insert(all.end(), place_.also.begin(), place_.also.end());
        std::vector<CallPathId> outer;
        for (const CallPathId path : all)
            if (std::ranges::none_of(
                    all, [&](CallPathId other) { return other != path && tree_.isWithin(path, other); }))
                outer.push_back(path);
        return outer;
    }

    double sumHere(const std::vector<double>& values) const {
        double sum = 0;
        for (const CallPathId path : pathsHere()) sum += values[path.index()];
        return sum;
    }

    /// By LocationId, of a call path in which those who are late are compared, or of the whole program.
    std::vector<double> timesAt(const MetricNames& metrics, std::optional<CallPathId> path) const {
        if (!path || *path != place_.path || place_.also.empty()) return measures_.perLocation(metrics, path);
        std::vector<double> sum(measures_.experiment().system.locations.size(), 0.0);
        for (const CallPathId outer : placeWithoutNested()) {
            const std::vector<double> times = measures_.perLocation(metrics, outer);
            std::ranges::transform(sum, times, sum.begin(), std::plus());
        }
        return sum;
    }

    /// The rule of most waiting for the place itself, where there is any: other waiting is for that.
    std::size_t ruleOfMost() const {
        std::vector<double> direct = shares_;
        for (std::size_t rule = 0; rule < direct.size(); ++rule)
            direct[rule] -= sumHere(delays_.handedOn[rule]);
        const auto most = std::ranges::max_element(direct);
        const bool isKnown = *most > kChained * place_.value;
        const auto mostOfAll = std::ranges::max_element(shares_);
        return static_cast<std::size_t>(isKnown ? most - direct.begin() : mostOfAll - shares_.begin());
    }

    const WaitRule& rule() const { return waitRules()[rule_]; }

    /// Whether other threads than the first ones of their processes wait, mostly, although it is processes
    /// that usually wait like that: what the first ones do tells nothing of these.
    bool areOfOtherThreads() const {
        const std::vector<double> waits = measures_.perLocation(rule().waits);
        double first = 0, all = 0;
        for (const CountedProcess& process : measures_.processes()) {
            first += waits[process.threads.front().index()];
            for (const LocationId thread : process.threads) all += waits[thread.index()];
        }
        return all > 0 && first < kMostly * all;
    }

    /// Whether the delays are in calls of MPI, mostly.
    bool isCommunication() const {
        if (!delays_.areCauses) return false;
        double inMpi = 0, all = 0;
        for (const CallPathId path : pathsHere())
            for (const std::vector<double>& values : delays_.byRule) {
                all += values[path.index()];
                if (measures_.experiment().regionOf(path).paradigm == "mpi") inMpi += values[path.index()];
            }
        return inMpi > kMostly * all;
    }

    Problem ofCommunication() const {
        Problem problem = problemOf(measures_, "late-communication", place_.value);
        problem.gain = place_.value / static_cast<double>(measures_.threads().size());
        const std::vector<Member> members =
            processMembers(measures_, measures_.perLocation(rule().delays, place_.path));
        const auto most = std::ranges::max_element(members, {}, &Member::value);
        double all = 0;
        for (const Member& member : members) all += member.value;
        if (all > 0)
            problem.who = fmt::format("{} causes {} of it", most->name, percentText(100 * most->value / all));
        addEvidence(measures_, delaysOfAllWaits(), "waiting of others that these calls cause", place_.path,
                    kAll, problem);
        return problem;
    }

    /// What makes those who are late late is not sleep, mostly. Then their work is compared, and others that
    /// sleep there, such as between two looks for a message, do not work meanwhile.
    bool isAwake() const {
        if (!delays_.areCauses) return false;
        const std::vector<double> sleep = measures_.perPath(kSleep);
        const std::vector<double> computation = measures_.perPath(kComputation);
        double asleep = 0, all = 0;
        for (const CallPathId path : pathsHere()) {
            if (isOfAnother(path)) continue;
            for (const std::vector<double>& values : delays_.byRule) {
                all += values[path.index()];
                const double here = sleep[path.index()] + computation[path.index()];
                if (here > 0) asleep += values[path.index()] * sleep[path.index()] / here;
            }
        }
        return asleep < kMostly * all;
    }

    /// Within a place of its own that this one calls: of that another problem tells.
    bool isOfAnother(CallPathId path) const {
        return std::ranges::any_of(all_, [&](const Place& other) {
            return other.path != place_.path && tree_.isWithin(other.path, place_.path) &&
                   tree_.isWithin(path, other.path);
        });
    }

    /// Without causes it is not known where the work is done.
    std::optional<CallPathId> workPath() const {
        return delays_.areCauses ? std::optional(compared_) : std::nullopt;
    }

    /// Who is late there does not work more in the whole run than most of the others, who do nothing there:
    /// these work elsewhere meanwhile.
    bool workElsewhere(const Spread& spread) const {
        if (!delays_.areCauses || spread.members.empty()) return false;
        const Work here = workOf(spread, workersAt(workPath()));
        return here.others <= kAlone * here.theirs && !workMoreInAll(spread);
    }

    /// Each of those who are late there works more than most of the others in the whole run, too, by most of
    /// that.
    bool workMoreInAll(const Spread& spread) const {
        const Work here = workOf(spread, workersAt(workPath()));
        const std::vector<Member> inAll = workersAt(std::nullopt);
        const double typical = workOf(spread, inAll).typical;
        return std::ranges::all_of(spread.members, [&](std::size_t member) {
            return inAll[member].value - typical >= kMostly * (here.theirs - here.others);
        });
    }

    /// To the caller in which others work, too.
    void compareInCaller(const Spread& spread) {
        for (auto parent = tree_.parent(compared_); parent; parent = tree_.parent(compared_)) {
            compared_ = *parent;
            const Work there = workOf(spread, workersAt(compared_));
            if (there.others > kAlone * there.theirs) return;
        }
    }

    std::vector<Member> workersAt(std::optional<CallPathId> path) const {
        const std::vector<double> work = timesAt(*work_, path);
        return ofThreads_ ? threadMembers(measures_, work) : processMembers(measures_, work);
    }

    /// One who takes longer makes each of the others wait for that. Where they wait much longer than that,
    /// all are late in turn: it only looks as if some were late on the whole.
    Spread spreadThatExplains(const std::vector<Member>& members) {
        Spread spread = spreadOf(members);
        uneven_.reset();
        const double beyond = (spread.theirs - spread.others) *
                              static_cast<double>(spread.members.size() * (members.size() - 1));
        if (spread.shape == Spread::Shape::Even || !delays_.areCauses || 2 * beyond >= place_.value)
            return spread;
        if (spread.theirs > kUneven * spread.others) uneven_ = spread;
        Spread even;
        for (const Member& member : members)
            even.theirs += member.value / static_cast<double>(members.size());
        even.others = even.theirs;
        return even;
    }

    /// Who takes how long there.
    std::string whoText(const Spread& spread, const std::vector<Member>& members) const {
        if (spread.shape != Spread::Shape::Even || !uneven_)
            return spreadText(spread, members, measures_.experiment());
        return spreadText(*uneven_, members, measures_.experiment()) + "; now one is late, now another";
    }

    struct Work {
        double theirs = 0;   ///< mean of those who are late
        double others = 0;   ///< that of the others
        double typical = 0;  ///< what half of the others exceed: one that works elsewhere does not change it
    };
    static Work workOf(const Spread& spread, const std::vector<Member>& members) {
        Work work;
        std::vector<double> others;
        for (std::size_t i = 0; i < members.size(); ++i) {
            const bool isLate = std::ranges::find(spread.members, i) != spread.members.end();
            (isLate ? work.theirs : work.others) += members[i].value;
            if (!isLate) others.push_back(members[i].value);
        }
        if (!others.empty()) {
            const auto middle = others.begin() + static_cast<std::ptrdiff_t>((others.size() - 1) / 2);
            std::nth_element(others.begin(), middle, others.end());
            work.typical = *middle;
        }
        work.theirs /= static_cast<double>(std::max<std::size_t>(1, spread.members.size()));
        work.others /= static_cast<double>(std::max<std::size_t>(1, members.size() - spread.members.size()));
        return work;
    }

    /// Who is late does not work more than most of the others, who have done their part at another time; and
    /// each waits for one before.
    bool areInTurn(const Spread& spread) const {
        if (!delays_.areCauses) return false;
        const bool areKnown = !spread.members.empty();
        if (areKnown && workMoreInAll(spread)) return false;
        double handedOn = 0, all = 0;
        for (const CallPathId path : pathsHere())
            for (std::size_t rule = 0; rule < delays_.byRule.size(); ++rule) {
                all += delays_.byRule[rule][path.index()];
                handedOn += delays_.handedOn[rule][path.index()];
            }
        return handedOn >= (areKnown ? kChained : chainedOfAll()) * all;
    }

    /// Where all do the same. In a row of n that work one after the other, the one at place r waits for each
    /// of the r before it, and one of them is before it at once: (n - 2) / n of the delays come through waits
    /// of others, or more if the first ones wait at the end, too. Of two nobody can tell.
    double chainedOfAll() const {
        constexpr double kNearly = 0.8;
        const std::size_t n = ofThreads_ ? measures_.threads().size() : measures_.processes().size();
        if (n < 3) return kMostly;
        return std::min(kMostly, kNearly * static_cast<double>(n - 2) / static_cast<double>(n));
    }

    Problem ofKind(const char* kind, const Spread& spread, const std::vector<Member>& members) const {
        Problem problem = problemOf(measures_, kind, place_.value);
        problem.who = whoText(spread, members);
        problem.pattern = wordOf(spread.shape);
        addReasons(spread, members, problem);
        if (problem.kind == "ordered") describeTurn(problem);
        const bool isUneven = spread.shape != Spread::Shape::Even &&
                              spread.theirs > kUneven * spread.others && workMoreInAll(spread);
        if (problem.kind == "large-task" && doesOneThreadRunAllTasks(measures_, place_.path)) {
            problem.what = "One thread of a process runs all of its tasks, and the others wait";
            addTo(problem.why, "it is not known why the others have none to run");
            problem.remedy =
                "see whether each task depends on the one before, so that no two can run at the same time";
        } else if (problem.kind == "large-task" && doTasksRunInTurn(measures_, rule().waits)) {
            problem.what = "Tasks run one at a time, now in one thread, now in another, and the others wait";
            addTo(problem.why, "it is not known why no two of them run at the same time");
            problem.remedy =
                "see whether each task depends on the one before, so that no two can run at the same time; if "
                "not, whether they are created early enough, or one of them is much larger than the others";
        }
        // If these messages did not wait, the others would, later.
        if (problem.kind == "late-progress" && isUneven) {
            problem.what = "Messages wait until those who work longer than the others call MPI again";
            problem.remedy = "give those who are late less to do there, or others more; or " + problem.remedy;
        }
        return problem;
    }

    /// Work in front of an ordered construct makes others wait for their turn, too. What one does there all
    /// can share.
    void describeTurn(Problem& problem) const {
        problem.gain = place_.value / static_cast<double>(measures_.threads().size());
        for (std::optional<CallPathId> path = place_.path; path; path = tree_.parent(*path)) {
            const Region& region = measures_.experiment().regionOf(*path);
            if (region.role == "ordered" || region.name.starts_with("!$omp ordered")) return;
        }
        problem.what = "Threads wait for their turn in an ordered construct, for one that comes late to it";
        problem.remedy =
            "do less in front of it in the iterations that others wait for, or more evenly; or keep the "
            "results, and do what needs the order after the loop";
    }

    /// How long others wait there for each thread. Waiting that is told elsewhere, such as for threads that
    /// had no processor, is no part of the place's cost, nor of this.
    std::vector<double> waitedFor() const {
        const Experiment& experiment = measures_.experiment();
        const std::vector<double> all = measures_.perPath(rule().delays);
        std::vector<double> values(experiment.system.locations.size(), 0.0);
        std::vector<CallPathId> paths = tree_.subtree(place_.path);
        for (const CallPathId other : place_.also) {
            const std::vector<CallPathId> more = tree_.subtree(other);
            paths.insert(paths.end(), more.begin(), more.end());
        }
        std::ranges::sort(paths);
        paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
        for (const CallPathId path : paths) {
            const double here = delays_.byRule[rule_][path.index()];
            if (!(here > 0) || !(all[path.index()] > 0)) continue;
            for (const char* name : rule().delays) {
                const auto metric = measures_.find(name);
                if (!metric) continue;
                const std::vector<double> own =
                    perLocation(experiment, {*metric}, {CallPathChoice{path, Extent::Exclusive}});
                for (std::size_t at = 0; at < own.size(); ++at)
                    values[at] += own[at] * here / all[path.index()];
            }
        }
        return values;
    }

    /// Who is waited for is known: those who wait may look busy meanwhile, as they ask a few times before
    /// they sleep.
    Problem ofThoseWaitedFor(const char* kind) const {
        const std::vector<Member> members = threadMembers(measures_, waitedFor());
        const Spread spread = spreadOf(members);
        Problem problem = problemOf(measures_, kind, place_.value);
        const auto most = std::ranges::max_element(members, {}, &Member::value);
        if (most->value > kRoundedUp * place_.value)  // also where other problems are
            problem.who = fmt::format("others wait most for {}", most->name);
        else if (most->value > 0)
            problem.who = fmt::format("others wait {} for {}", secondsText(most->value), most->name);
        if (most->value > 0 && most->value < kStandsForAll * place_.value)
            problem.who += ", which is most of all";
        if (kind == std::string_view(kSignal))
            problem.who = waitersText(measures_, rule()) + (problem.who.empty() ? "" : "; ") + problem.who;
        problem.pattern = wordOf(spread.shape);
        addReasons(spread, members, problem);
        shareAmongWaiters(members, spread, problem);
        return problem;
    }

    /// Who waits can do a part of what is waited for instead. With `k` who wait for `c` seconds in all, and
    /// one that is waited for, each has `c / (k + 1)` more or less to do then, and nobody waits. Of sleep
    /// nothing has to be done: `c / k` of it is waited for. Those who wait for each other in turn share that.
    void shareAmongWaiters(const std::vector<Member>& members, const Spread& spread, Problem& problem) const {
        const std::vector<double> waits = measures_.perLocation(rule().waits);
        const double longest = *std::ranges::max_element(waits);
        double waiters = 0, awaited = 0, both = 0, busiest = 0;
        const std::vector<double> work = measures_.perLocation(*work_, place_.path);
        const auto most = std::ranges::max_element(members, {}, &Member::value);
        for (std::size_t i = 0; i < members.size(); ++i) {
            const std::size_t thread = members[i].locations.front().index();
            const bool isWaiter = waits[thread] > kAlone * longest;
            const bool isAwaited = spread.members.empty() ? members[i].value > kAlone * most->value
                                                          : std::ranges::count(spread.members, i) > 0;
            waiters += isWaiter ? 1 : 0;
            awaited += isAwaited ? 1 : 0;
            both += isWaiter && isAwaited ? 1 : 0;
            if (isAwaited) busiest = std::max(busiest, work[thread]);
        }
        const double sharers = isSleepAwaited() ? waiters : waiters + awaited - both;
        problem.gain = place_.value / std::max(1.0, sharers);
        if (rule().problem != nullptr && delays_.areCauses)
            problem.limit = std::max(0.0, busiest - *problem.gain / std::max(1.0, both));
    }

    /// Most of the waiting at conditions, and it is not recorded which of it a timeout ended.
    bool haveTimeouts() const {
        if (measures_.find("pthread_condition_timeout")) return false;
        constexpr auto kUntil = std::to_array<std::string_view>(
            {"pthread_cond_timedwait", "pthread_cond_clockwait", "cnd_timedwait"});
        const std::vector<double> waits = measures_.perPath(rule().waits);
        double until = 0, all = 0;
        for (const CallPathId path : tree_.ids()) {
            all += waits[path.index()];
            const std::string_view name = measures_.experiment().regionOf(path).name;
            if (std::ranges::find(kUntil, name) != kUntil.end()) until += waits[path.index()];
        }
        return until > kMostly * all;
    }

    /// Who is waited for sleeps, mostly.
    bool isSleepAwaited() const { return delays_.areCauses && work_ != &kComputation; }

    /// Who is waited for and sleeps meanwhile, mostly, has nothing to do that others could do.
    Problem unlessAsleep(Problem problem) {
        const bool mayOverlap = problem.isOneAtATime && problem.pattern != "one";
        if (!isSleepAwaited() || mayOverlap) return problem;
        isAsleep_ = problem.isSleep = true;
        problem.remedy = kSleepRemedy;
        addTo(problem.why, "those who are waited for sleep meanwhile, mostly");
        return problem;
    }

    Problem ofJoins() {
        LateThreads late = lateJoinedThreads(measures_, joinedThreads(measures_, rule(), *work_),
                                             delays_.areOneAtATime, place_);
        beyond_ = late.beyond;
        if (isSleepAwaited() && late.problem.locations.size() == 1)
            late.problem.limit = std::max(0.0, late.longest - late.problem.gain.value_or(0));
        late.problem.who += "; " + waitersText(measures_, rule());
        addEvidence(measures_, delaysOfAllWaits(), "waiting of others that this causes", place_.path, kAll,
                    late.problem);
        return std::move(late.problem);
    }

    /// Whoever has the lock works no longer than others may do elsewhere.
    bool isForWindowLocks() const {
        const MetricNames& locks = waitsForWindowLocks();
        if (std::ranges::count(rule().waits, std::string_view(locks.front())) == 0) return false;
        return measures_.total(locks) > kMostly * measures_.total(rule().waits);
    }

    Problem ofTurns(const Spread& spread, const std::vector<Member>& members) const {
        Problem problem = problemOf(measures_, "in-turn", place_.value);
        const Work work = workOf(spread, workersAt(std::nullopt));
        problem.who = spread.members.empty() && !uneven_
                          ? fmt::format("all work about as long there, {}", secondsText(spread.theirs))
                          : spreadText(uneven_.value_or(spread), members, measures_.experiment());
        if (!spread.members.empty())
            problem.who += fmt::format("; in the whole run they work {}, the others {}",
                                       secondsText(work.theirs), secondsText(work.others));
        for (const std::size_t member : spread.members)
            problem.locations.insert(problem.locations.end(), members[member].locations.begin(),
                                     members[member].locations.end());
        problem.gain = place_.value / static_cast<double>(measures_.threads().size());
        addEvidence(measures_, delaysOfAllWaits(), "waiting of others that this causes", place_.path, kAll,
                    problem);
        return problem;
    }

    /// Within a construct that one thread of each team executes, whichever it is.
    bool isForOneThread() const {
        for (std::optional<CallPathId> path = place_.path; path; path = tree_.parent(*path)) {
            const Region& region = measures_.experiment().regionOf(*path);
            if (region.role == "single" || region.name.starts_with("!$omp single")) return true;
            if (region.paradigm == "openmp" && (region.role == "parallel" || region.role == "task"))
                return false;
        }
        return false;
    }

    /// Nobody of them has too much to do: the work is for one.
    Problem ofOneThread(const std::vector<Member>& members) const {
        Problem problem = problemOf(measures_, "serial", place_.value);
        problem.what = "The work of a single construct is for one thread, and the others wait";
        double all = 0;
        for (const Member& member : members) all += member.value;
        problem.who = fmt::format("now one thread works there, now another, {} in all", secondsText(all));
        problem.pattern = wordOf(Spread::Shape::Even);
        addReasons({}, members, problem);
        return problem;
    }

    /// Of a run whose processes or threads were added up to one it is not known who waited for whom.
    Problem ofNobodyKnown() const {
        Problem problem =
            problemOf(measures_, rule().problem != nullptr ? rule().problem : "imbalance", place_.value);
        addEvidence(measures_, delaysOfAllWaits(), "waiting of others that this causes", place_.path, kAll,
                    problem);
        return problem;
    }

    Problem ofWork() {
        for (const char* const kind : {kWake, kSignal})
            if (rule().problem != nullptr && rule().problem == std::string_view(kind))
                return unlessAsleep(ofThoseWaitedFor(kind));
        if (rule().problem != nullptr && rule().problem == std::string_view(kJoin))
            return unlessAsleep(ofJoins());
        if (isForWindowLocks()) return ofThoseWaitedFor("window-lock");
        std::vector<Member> members = workersAt(workPath());
        Spread spread = spreadThatExplains(members);
        beyond_ = spread.theirs - spread.others;
        if (members.size() < 2) return ofNobodyKnown();
        if (rule().problem != nullptr) return ofKind(rule().problem, spread, members);
        if (areInTurn(spread)) return ofTurns(spread, members);
        if (workElsewhere(spread)) {
            compareInCaller(spread);
            members = workersAt(workPath());
            spread = spreadThatExplains(members);
        }
        const auto growth = growthInRun();
        const bool isOnlyOne = spread.shape == Spread::Shape::One && spread.others <= kAlone * spread.theirs;
        const double unseen = unseenSleep(spread, members);
        isAsleep_ = unseen > 0 || sleepIn(spread, members) > kMostly;
        const std::string working = isOnlyOne && isAsleep_ ? workMeanwhile(spread) : "";
        const bool isAlone = isOnlyOne && working.empty();
        if (!isOnlyOne && isForOneThread()) return ofOneThread(members);
        Problem problem = problemOf(measures_,
                                    isAlone  ? "serial"
                                    : growth ? "growing-imbalance"
                                             : "imbalance",
                                    place_.value);
        const char* const verb = isAsleep_ ? "sleep" : "work";
        if (isAlone || !growth)
            problem.what = fmt::format(
                fmt::runtime(isAlone ? titleOfOne(ofThreads_) : titleOf(spread.shape, ofThreads_)), verb);
        problem.isSleep = isAsleep_;
        if (isAsleep_) problem.remedy = kSleepRemedy;
        if (isAsleep_ && spread.shape == Spread::Shape::Even)
            problem.what = ofThreads_ ? "Threads sleep in turn, and the others wait"
                                      : "Processes sleep in turn, and the others wait";
        off_ = isAsleep_ ? 0 : offProcessors(spread, members);
        const std::string does = off_ > 0 ? "takes" : std::string(verb) + "s";
        problem.who = isAlone ? fmt::format("{} {} {} alone", members[spread.members.front()].name, does,
                                            secondsText(spread.theirs))
                              : whoText(spread, members);
        problem.who += working;
        if (off_ > 0) problem.who += offText(spread);
        if (unseen > 0)
            problem.who +=
                fmt::format("; {} sleeps for at least {} of that, and the recorder does not see where",
                            spread.members.size() == 1 ? "it" : "each of them", secondsText(unseen));
        if (!isAsleep_) problem.who += sleepText(spread);
        if (growth && !isAlone)
            problem.who += fmt::format(
                "; a wait in the last two fifths of the time since waiting began is {:.1f} times as long as "
                "in the first two",
                *growth);
        if (!growth) problem.who += phaseText();
        problem.pattern = isAlone ? "one" : wordOf(spread.shape);
        beyond_ = spread.theirs - spread.others;
        addReasons(spread, members, problem);
        if (isAsleep_) addUnrecordedChildren(measures_, problem);
        return problem;
    }

    /// Which other one works for most of the time in which one sleeps: it may be that one for whom it waits.
    /// What it works while the other one does not sleep is at most the rest of the run.
    std::string workMeanwhile(const Spread& spread) const {
        const std::vector<double> work = measures_.perLocation({"comp", "processor_waiting"});
        const std::vector<Member> members =
            ofThreads_ ? threadMembers(measures_, work) : processMembers(measures_, work);
        const Member* most = nullptr;
        for (std::size_t i = 0; i < members.size(); ++i)
            if (i != spread.members.front() && (most == nullptr || members[i].value > most->value))
                most = &members[i];
        if (most == nullptr) return "";
        const double meanwhile = spread.theirs + most->value - measures_.wall();
        if (!(meanwhile > kMostly * spread.theirs)) return "";
        return fmt::format("; {} works meanwhile, for at least {}", most->name, secondsText(meanwhile));
    }

    /// How long each of those who are late is at least on no processor there, while it seems to compute: that
    /// is known of all that a thread computes together. 0 where it hardly matters.
    double offProcessors(const Spread& spread, const std::vector<Member>& members) const {
        constexpr double kMatters = 0.1;
        const double least = leastOf("off_processor", spread, members);
        return least < kMatters * spread.theirs ? 0 : least;
    }

    /// How long each of those who are late sleeps at least there, while it seems to compute. 0 where that is
    /// not most of what they are longer.
    double unseenSleep(const Spread& spread, const std::vector<Member>& members) const {
        const double least = leastOf("unseen_sleep", spread, members);
        return least > kMostly * (spread.theirs - spread.others) ? least : 0;
    }

    /// What each of those who are late has at least, of what seems to be computation there, in a metric that
    /// is known of all that a thread computes together.
    double leastOf(const char* metric, const Spread& spread, const std::vector<Member>& members) const {
        if (!workPath() || !measures_.find(metric)) return 0;
        const std::vector<double> off = measures_.perLocation({metric});
        const std::vector<double> all = measures_.perLocation(kComputation);
        const std::vector<double> here = timesAt(kComputation, workPath());
        double least = std::numeric_limits<double>::infinity();
        for (const std::size_t member : spread.members) {
            const auto& threads = members[member].locations;
            const auto compared = std::ranges::find_if(threads, [&](LocationId thread) {
                return here[thread.index()] > 0;
            });  // as in `processMembers`
            if (compared == threads.end()) return 0;
            const std::size_t thread = compared->index();
            const double ofMember = std::clamp(off[thread] - (all[thread] - here[thread]), 0.0, here[thread]);
            least = std::min(least, ofMember);
        }
        return spread.members.empty() ? 0 : least;
    }

    std::string offText(const Spread& spread) const {
        const char* const they = spread.members.size() == 1 ? "it" : "each of them";
        if (off_ >= spread.theirs - spread.others)
            return fmt::format(
                "; the difference is no more than the time in which {} slept or had no processor", they);
        return fmt::format("; for at least {} of that {} slept or had no processor", secondsText(off_), they);
    }

    /// Not within another place there, whose sleep includes what it calls.
    bool isOutermostWithin(const Place& place, CallPathId outer) const {
        const auto isBelow = [&](CallPathId path, CallPathId above) {
            return path != above && tree_.isWithin(path, above);
        };
        return isBelow(place.path, outer) && std::ranges::none_of(all_, [&](const Place& other) {
                   return isBelow(place.path, other.path) && isBelow(other.path, outer);
               });
    }

    /// By LocationId: in places of their own that this one calls, of which other problems tell.
    std::vector<double> toldElsewhere(const MetricNames& metrics) const {
        std::vector<double> told(measures_.experiment().system.locations.size(), 0.0);
        for (const Place& other : all_) {
            if (!isOutermostWithin(other, compared_)) continue;
            const std::vector<double> there = measures_.perLocation(metrics, other.path);
            std::ranges::transform(told, there, told.begin(), std::plus());
        }
        return told;
    }

    /// What those who are late do beyond the others in such places.
    double beyondElsewhere(const Spread& spread) const {
        if (!workPath() || rule().problem != nullptr) return 0;
        const std::vector<double> told = toldElsewhere(*work_);
        const Work work =
            workOf(spread, ofThreads_ ? threadMembers(measures_, told) : processMembers(measures_, told));
        return std::max(0.0, work.theirs - work.others);
    }

    /// What those who are late sleep there besides, more than the others: their work alone is compared. Empty
    /// where it hardly matters, or another problem tells of it.
    std::string sleepText(const Spread& spread) const {
        constexpr double kMatters = 0.1;
        if (work_ != &kComputation || !workPath()) return "";
        std::vector<double> sleep = timesAt(kSleep, workPath());
        const std::vector<double> told = toldElsewhere(kSleep);
        std::ranges::transform(sleep, told, sleep.begin(), std::minus());
        const Work asleep =
            workOf(spread, ofThreads_ ? threadMembers(measures_, sleep) : processMembers(measures_, sleep));
        if (!(asleep.theirs > 0) || asleep.theirs - asleep.others < kMatters * spread.theirs) return "";
        return fmt::format("; besides, {} {} there",
                           spread.members.size() == 1 ? "it sleeps" : "each of them sleeps",
                           secondsText(asleep.theirs));
    }

    /// The part of what those who are late do that is sleep.
    double sleepIn(const Spread& spread, const std::vector<Member>& members) const {
        if (work_ == &kComputation) return 0;
        const std::vector<double> work = timesAt(*work_, workPath());
        const std::vector<double> sleep = timesAt(kSleep, workPath());
        double all = 0, asleep = 0;
        std::vector<std::size_t> late = spread.members;
        if (late.empty()) {  // all are, in turn
            late.resize(members.size());
            std::iota(late.begin(), late.end(), 0);
        }
        for (const std::size_t member : late)
            for (const LocationId location : members[member].locations) {
                all += work[location.index()];
                asleep += sleep[location.index()];
            }
        return all > 0 ? asleep / all : 0;
    }

    void addReasons(const Spread& spread, const std::vector<Member>& members, Problem& problem) const {
        std::vector<LocationId> low;
        for (std::size_t i = 0; i < members.size(); ++i) {
            const bool isHigh = std::ranges::find(spread.members, i) != spread.members.end();
            auto& list = isHigh ? problem.locations : low;
            list.insert(list.end(), members[i].locations.begin(), members[i].locations.end());
        }
        problem.why = counterReason(measures_, workPath(), problem.locations, low);
        problem.gain = gainOf(spread, members.size());
        if (off_ > 0) {  // others can take over work alone
            const double work = std::max(0.0, spread.theirs - off_ - spread.others);
            problem.gain = std::min(*problem.gain, work * partOfOthers(spread, members.size()));
        }
        if (delays_.areCauses)
            addEvidence(measures_, delaysOfAllWaits(), "waiting of others that this causes", place_.path,
                        kAll, problem);
        addEvidence(measures_, {"comp"}, "computation of those who are late", workPath(),
                    ChosenLocations::orAll(problem.locations), problem);
        addEvidence(measures_, {"critical_path_imbalance"}, "on the critical path beyond the average",
                    workPath(), kAll, problem);
    }

    /// What those who are late do there beyond the others, if they are late at the same time; if one is late
    /// now and another then, all others wait for one at a time, which is more. Nor can a run become shorter
    /// by more than is waited.
    double gainOf(const Spread& spread, std::size_t members) const {
        const double others = static_cast<double>(std::max<std::size_t>(2, members)) - 1;
        if (spread.shape == Spread::Shape::Even || spread.members.empty()) return place_.value / others;
        double beyond = std::max(0.0, spread.theirs - spread.others - beyondElsewhere(spread));
        // Several have all of the work that is done there: shared out among all, it does not vanish. Sleep
        // does.
        if (!isAsleep_ && spread.members.size() > 1 && spread.others <= kAlone * spread.theirs)
            beyond *= partOfOthers(spread, members);
        const double most = std::min(std::max(shares_[rule_] / others, beyond), place_.value);
        // Messages may move earlier, and tasks be divided, without less work. What is named otherwise is an
        // excess, of each of those who are late, and nobody gains more by giving it up.
        return rule().problem != nullptr
                   ? most
                   : std::min(most, beyond * static_cast<double>(spread.members.size()));
    }

    /// What others get of work that is shared out among all.
    static double partOfOthers(const Spread& spread, std::size_t members) {
        return 1 - static_cast<double>(spread.members.size()) / static_cast<double>(members);
    }

    /// Of the waiting that this place causes, if it causes most of it.
    std::optional<double> growthInRun() const {
        const double all = measures_.total(rule().waits);
        constexpr double kMuch = 0.1;
        const bool isDisturbed = isStarved_ || delays_.ofShortage > kMuch * all;
        if (isDisturbed || shares_[rule_] < kMostly * all) return std::nullopt;
        return growthOf(measures_, rule().waits);
    }

    /// Of the waiting that this place causes: where and when other kinds of it are is not what the rule
    /// tells.
    double partOfRule() const {
        const double all = std::accumulate(shares_.begin(), shares_.end(), 0.0);
        return all > 0 ? shares_[rule_] / all : 0;
    }

    /// In which part of the run the waiting that this place causes is, where it is in one.
    std::string phaseText() const {
        if (shares_[rule_] < kMostly * measures_.total(rule().waits) || partOfRule() < kStandsForAll)
            return {};
        const auto phase = waitingPhaseOf(measures_, rule().waits);
        if (!phase) return {};
        return fmt::format("; {} of the waiting begins between {:.0f} % and {:.0f} % of the run's time",
                           percentText(100 * phase->share), 100 * phase->begin, 100 * phase->end);
    }

    /// Where the others wait, in words; as evidence, too.
    std::string waitingText(Problem& problem) const {
        const auto metric = measures_.largest(rule().waits);
        if (!metric) return {};
        const std::string& name = measures_.experiment().metrics[*metric].uniqueName;
        const std::vector<double> values = measures_.perPath({name.c_str()});
        const auto most = std::ranges::max_element(values);
        if (most == values.end() || !(*most > 0)) return {};
        const CallPathId path(static_cast<std::size_t>(most - values.begin()));
        addEvidence(measures_, {name.c_str()}, "waiting, where there is most", path, kAll, problem);
        if (!delays_.areCauses)
            return isOwnAnalysis(measures_.experiment())
                       ? "holos analyze without --no-causes finds who is to blame"
                       : "";
        const double all = std::accumulate(shares_.begin(), shares_.end(), 0.0);
        const std::string text = fmt::format("{} of the waiting for them is {}",
                                             percentText(100 * shares_[rule_] / all), rule().name);
        if (!isMostWaitingAt(path))
            return rule().problem != nullptr && rule().problem == std::string_view(kSignal)
                       ? text + "; most such waiting, for whichever thread, is in " +
                             pathText(measures_.experiment(), path)
                       : text;
        return text + ", most in " + pathText(measures_.experiment(), path);
    }

    /// Whether those who are late make others wait there more than anywhere else, even if all waiting that
    /// somebody else causes is there, too.
    bool isMostWaitingAt(CallPathId path) const {
        const double ofOthers = std::max(0.0, measures_.total(rule().waits) - shares_[rule_]);
        if (shares_[rule_] < kMostly * measures_.total(rule().waits)) return false;
        const std::vector<double> waits = measures_.perPath(rule().waits);
        const double here = waits[path.index()] - ofOthers;
        for (std::size_t other = 0; other < waits.size(); ++other)
            if (other != path.index() && waits[other] > here) return false;
        return true;
    }

    const Measures& measures_;
    const Delays& delays_;
    const Place& place_;
    std::span<const Place> all_;
    const CallTree& tree_;
    CallPathId compared_;               ///< in which those who are late are compared with the others
    std::vector<double> shares_;        ///< by rule: of the waiting that the place causes
    std::size_t rule_ = 0;              ///< that most of it is of
    const MetricNames* work_ = &kWork;  ///< what is compared
    bool ofThreads_ = false;
    /// Who takes clearly longer in all, although now one is late, now another.
    std::optional<Spread> uneven_;
    std::optional<double> beyond_;  ///< seconds that each of those who are late works more than the others
    double off_ = 0;  ///< seconds that each of those who are late was at least on no processor meanwhile
    bool isAsleep_ = false;   ///< those who are late sleep, for the most part
    bool isStarved_ = false;  ///< threads had no processor for so long that others may be late for that alone
};

}  // namespace

std::string titleOfLateOnes(Spread::Shape shape, bool areThreads, const char* verb) {
    return fmt::format(fmt::runtime(titleOf(shape, areThreads)), verb);
}

Problem lateness(const Measures& measures, const Delays& delays, const Place& place,
                 std::span<const Place> all) {
    return Lateness(measures, delays, place, all).describe();
}

}  // namespace holos::algebra
