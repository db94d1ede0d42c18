// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/late_workers.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "algebra/insight/summary/evidence.h"
#include "algebra/insight/summary/reasons.h"
#include "algebra/insight/summary/words.h"
#include "base/text.h"

namespace holos::algebra {

LateWork lateWorkOf(const Spread& spread, const std::vector<Member>& members) {
    LateWork work;
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

LateWorkers::LateWorkers(const LatePlace& place, const WaitRule* waitsOfThreads, bool areAwake)
    : place_(place),
      waitsOfThreads_(waitsOfThreads),
      areAwake_(areAwake),
      areOfAnyThread_(waitsOfThreads != nullptr && place.isOfAnyThread()),
      compared_(place.path()),
      isWithoutOthers_(areOthersLateWithin()) {}

bool LateWorkers::areOthersLateWithin() const {
    if (!place_.delays().areCauses) return false;
    const Spread all = spreadOf(members(place_.times(work(), compared_)), !areOfAnyThread_),
                 own = spreadOf(members(timesWithoutOthers(work())), !areOfAnyThread_);
    constexpr double kMostly = 0.5;  // what those who are late do more is hidden by what others do there
    const bool areHidden = all.theirs - all.others < kMostly * (own.theirs - own.others);
    return !own.members.empty() && (all.members != own.members || areHidden);
}

std::vector<double> LateWorkers::timesWithoutOthers(const MetricNames& metrics) const {
    std::vector<double> times = place_.times(metrics, compared_);
    const std::vector<double> told = place_.toldElsewhere(metrics, compared_);
    std::ranges::transform(times, told, times.begin(), std::minus());
    return times;
}

std::vector<double> LateWorkers::times(const MetricNames& metrics) const {
    return isWithoutOthers() ? timesWithoutOthers(metrics) : place_.times(metrics, path());
}

const MetricNames& LateWorkers::work() const {
    static const MetricNames kComputation{"comp"};
    static const MetricNames kWithSleep = [] {
        MetricNames names = kComputation;
        names.insert(names.end(), sleepTimes().begin(), sleepTimes().end());
        return names;
    }();
    return areAwake_ ? kComputation : kWithSleep;
}

std::optional<CallPathId> LateWorkers::path() const {
    return place_.delays().areCauses ? std::optional(compared_) : std::nullopt;
}

/// A thread that only starts others, or has to do with others than those who meet there, is not compared.
std::vector<Member> LateWorkers::members(const std::vector<double>& perLocation) const {
    if (!areThreads()) return processMembers(measures(), perLocation);
    std::vector<Member> members = threadMembers(measures(), perLocation);
    const bool isOneOfSeveralWays = waitsOfThreads_->problem != nullptr;  // others wait at barriers
    if (!place_.delays().areCauses || isOneOfSeveralWays) return members;
    const std::vector<double> waits = measures().perLocation(waitsOfThreads_->waits),
                              delays = measures().perLocation(waitsOfThreads_->delays);
    const auto isBeside = [&](const Member& member) {
        const std::size_t thread = member.locations.front().index();
        return !(waits[thread] > 0) && !(delays[thread] > 0);
    };
    const std::ptrdiff_t beside = std::ranges::count_if(members, isBeside);
    if (members.size() - static_cast<std::size_t>(beside) > 1) std::erase_if(members, isBeside);
    return members;
}

LocationId LateWorkers::leading(const Member& worker) const {
    const std::vector<double> here = times(work());
    const auto compared = std::ranges::find_if(worker.locations, [&](LocationId thread) {
        return here[thread.index()] > 0;
    });  // as in `processMembers`
    return compared == worker.locations.end() ? worker.locations.front() : *compared;
}

std::vector<Member> LateWorkers::workersInAll() const {
    const std::vector<double> all = place_.times(work(), std::nullopt);
    std::vector<Member> workers = this->workers();
    for (Member& worker : workers) worker.value = all[leading(worker).index()];
    return workers;
}

std::vector<Member> LateWorkers::workersAt(std::optional<CallPathId> path) const {
    return members(place_.times(work(), path));
}

bool LateWorkers::areAwaited(const Spread& spread) const {
    constexpr double kNearlyAll = 0.8;
    std::vector<double> blamed(measures().experiment().system.locations.size(), 0.0);
    for (std::size_t rule = 0; rule < waitRules().size(); ++rule) {
        const std::vector<double> values = place_.blamed(rule, waitRules()[rule].delays, place_.paths());
        std::ranges::transform(blamed, values, blamed.begin(), std::plus());
    }
    double theirs = 0, all = 0;
    const std::vector<Member> threads = members(blamed);
    const std::size_t half = threads.size() / 2;
    const bool isRising = spread.members.front() >= half;
    for (std::size_t at = 0; at < threads.size(); ++at) {
        all += threads[at].value;
        const bool isOfThem = spread.shape == Spread::Shape::Gradient
                                  ? (isRising ? at >= threads.size() - half : at < half)
                                  : std::ranges::count(spread.members, at) > 0;
        if (isOfThem) theirs += threads[at].value;
    }
    return theirs >= kNearlyAll * all;
}

Spread LateWorkers::spreadOfLate(const std::vector<Member>& workers) {
    Spread spread = spreadOf(workers, !areOfAnyThread_);
    const bool isOfNumbers = spread.shape == Spread::Shape::Gradient || spread.shape == Spread::Shape::Parity;
    if (isOfNumbers && areThreads() && place_.delays().areCauses && !areAwaited(spread))
        spread = spreadOf(workers, false);
    uneven_.reset();
    const double beyond =
        (spread.theirs - spread.others) * static_cast<double>(spread.members.size() * (workers.size() - 1));
    if (spread.shape == Spread::Shape::Even || !place_.delays().areCauses || 2 * beyond >= place_.cost())
        return spread;
    if (spread.theirs > kUnevenFrom * spread.others) uneven_ = spread;
    Spread even;
    for (const Member& member : workers) even.theirs += member.value / static_cast<double>(workers.size());
    even.others = even.theirs;
    return even;
}

std::string LateWorkers::whoText(const Spread& spread, const std::vector<Member>& workers) const {
    std::string where;
    if (compared_ != place_.path())
        where = "in " + pathText(measures().experiment(), compared_) + ", ";
    else if (isWithoutOthers())
        where = "without what other problems tell of, ";
    if (spread.shape != Spread::Shape::Even || !uneven_)
        return where + spreadText(spread, workers, measures().experiment()) +
               (areOfAnyThread_ && !spread.members.empty() ? "; which thread has how much of it is chance"
                                                           : "");
    return where + spreadText(*uneven_, workers, measures().experiment()) + "; now one is late, now another";
}

bool LateWorkers::workMoreInAll(const Spread& spread) const {
    const LateWork here = lateWorkOf(spread, workers());
    const std::vector<Member> inAll = workersInAll();
    const double typical = lateWorkOf(spread, inAll).typical;
    return std::ranges::all_of(spread.members, [&](std::size_t member) {
        return inAll[member].value - typical >= kMainPart * (here.theirs - here.others);
    });
}

bool LateWorkers::workElsewhere(const Spread& spread) const {
    if (!place_.delays().areCauses || spread.members.empty()) return false;
    const std::vector<Member> members = workers();
    const LateWork here = lateWorkOf(spread, members);
    const auto others = static_cast<double>(members.size() - spread.members.size());
    return here.others <= kAloneBelow * here.theirs && place_.cost() < kMainPart * others * here.theirs &&
           !workMoreInAll(spread);
}

void LateWorkers::compareInCaller(const Spread& spread) {
    const CallTree& tree = place_.tree();
    for (auto parent = tree.parent(compared_); parent; parent = tree.parent(compared_)) {
        compared_ = *parent;
        const LateWork there = lateWorkOf(spread, workersAt(compared_));
        if (there.others > kAloneBelow * there.theirs) return;
    }
}

bool LateWorkers::areInTurn(const Spread& spread) const {
    /// Of the waiting that a part of the program causes, what comes through waits of others is at least this
    /// part where these wait for each other in a row.
    constexpr double kChained = 0.1;
    const Delays& delays = place_.delays();
    if (!delays.areCauses) return false;
    const bool areKnown = !spread.members.empty();
    if (areKnown && workMoreInAll(spread)) return false;
    double handedOn = 0, all = 0;
    for (std::size_t rule = 0; rule < delays.byRule.size(); ++rule) {
        all += place_.sumOf(delays.byRule[rule]);
        handedOn += place_.sumOf(delays.handedOn[rule]);
    }
    return handedOn >= (areKnown ? kChained : chainedOfAll()) * all;
}

/// Where all do the same. In a row of n that work one after the other, the one at place r waits for each of
/// the r before it, and one of them is before it at once: (n - 2) / n of the delays come through waits of
/// others, or more if the first ones wait at the end, too. Of two nobody can tell.
double LateWorkers::chainedOfAll() const {
    constexpr double kNearly = 0.8;
    const std::size_t n = areThreads() ? measures().threads().size() : measures().processes().size();
    if (n < 3) return kMainPart;
    return std::min(kMainPart, kNearly * static_cast<double>(n - 2) / static_cast<double>(n));
}

void LateWorkers::describe(const Spread& spread, const std::vector<Member>& workers, Problem& problem) const {
    std::vector<LocationId> low;
    for (std::size_t i = 0; i < workers.size(); ++i) {
        const bool isHigh = std::ranges::find(spread.members, i) != spread.members.end();
        auto& list = isHigh ? problem.locations : low;
        list.insert(list.end(), workers[i].locations.begin(), workers[i].locations.end());
    }
    problem.why = counterReason(measures(), path(), problem.locations, low);
    if (place_.delays().areCauses)
        addEvidence(measures(), delaysOfAllWaits(), "waiting of others that this causes", place_.path(), kAll,
                    problem);
    addEvidence(measures(), {"comp"}, "computation of those who are late", path(),
                ChosenLocations::orAll(problem.locations), problem);
    addEvidence(measures(), {"critical_path_imbalance"}, "on the critical path beyond the average", path(),
                kAll, problem);
}

void LateWorkers::tellOfFewerThreads(const Spread& spread, const std::vector<Member>& workers,
                                     Problem& problem) const {
    if (spread.members.empty() || areThreads()) return;
    std::size_t mostOfLate = 0, leastOfOthers = measures().mostThreads();
    std::vector<Member> all = workers;
    const std::vector<double> work = place_.times({"comp"}, path());
    for (std::size_t at = 0; at < workers.size(); ++at) {
        const std::vector<LocationId>& threads = workers[at].locations;
        all[at].value = 0;
        for (const LocationId thread : threads) all[at].value += work[thread.index()];
        if (std::ranges::count(spread.members, at) > 0)
            mostOfLate = std::max(mostOfLate, threads.size());
        else
            leastOfOthers = std::min(leastOfOthers, threads.size());
    }
    if (mostOfLate >= leastOfOthers) return;
    problem.why += fmt::format(
        "{}{} {}, {} {}", problem.why.empty() ? "" : "; ",
        spread.members.size() == 1 ? "it has" : "each of them has at most", counted(mostOfLate, "thread"),
        workers.size() - spread.members.size() == 1 ? "the other one" : "the others at least", leastOfOthers);
    const LateWork inThreads = lateWorkOf(spread, all);
    if (inThreads.theirs > kUnevenFrom * inThreads.others) return;
    problem.why += "; the threads of each process work about as long in all";
    problem.remedy = "give each process as many threads as the others, or work by the number of its threads";
}

}  // namespace holos::algebra
