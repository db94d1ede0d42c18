// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/late_sleep.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "algebra/insight/summary/starvation.h"
#include "algebra/insight/summary/words.h"
#include "algebra/model/processors.h"

namespace holos::algebra {

namespace {

/// Of what those who are late do: less is not said.
constexpr double kWorthSayingOfLate = 0.1;

const char* eachText(const Spread& spread) {
    return spread.members.size() == 1 ? "it" : "each of them";
}

/// What each of those who are late has at least, of what seems to be computation there, in a metric that is
/// known of all that a thread computes together.
double leastOf(const char* metric, const LateWorkers& workers, const Spread& spread,
               const std::vector<Member>& members) {
    const Measures& measures = workers.measures();
    if (!workers.path() || !measures.find(metric)) return 0;
    const std::vector<double> off = measures.perLocation({metric});
    const std::vector<double> all = measures.perLocation({"comp"});
    const std::vector<double> here = workers.times({"comp"});
    double least = std::numeric_limits<double>::infinity();
    for (const std::size_t member : spread.members) {
        const std::size_t thread = workers.leading(members[member]).index();
        const double ofMember = std::clamp(off[thread] - (all[thread] - here[thread]), 0.0, here[thread]);
        least = std::min(least, ofMember);
    }
    return spread.members.empty() ? 0 : least;
}

/// By one of these threads, on average.
double waitedForProcessors(const Measures& measures, const std::vector<LocationId>& threads) {
    double waited = 0;
    for (const LocationId thread : threads)
        if (const auto time = processorTimeOf(measures.experiment().system[thread]))
            waited += time->waiting.value_or(0);
    return waited / static_cast<double>(std::max<std::size_t>(1, threads.size()));
}

}  // namespace

bool areAwakeAt(const LatePlace& place) {
    const Delays& delays = place.delays();
    if (!delays.areCauses) return false;
    const std::vector<double> sleep = place.measures().perPath(sleepTimes());
    const std::vector<double> computation = place.measures().perPath({"comp"});
    double asleep = 0, all = 0;
    for (const CallPathId path : place.paths()) {
        if (place.isOfAnother(path)) continue;
        const bool isSleep = !isYield(place.measures().experiment().regionOf(path).name);
        for (const std::vector<double>& values : delays.byRule) {
            all += values[path.index()];
            const double here = sleep[path.index()] + computation[path.index()];
            if (here > 0 && isSleep) asleep += values[path.index()] * sleep[path.index()] / here;
        }
    }
    return asleep < kMainPart * all;
}

double sleepIn(const LateWorkers& workers, const Spread& spread, const std::vector<Member>& members) {
    if (workers.areAwake()) return 0;
    const std::vector<double> work = workers.times(workers.work()), sleep = workers.times(sleepTimes());
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

double unseenSleepOf(const LateWorkers& workers, const Spread& spread, const std::vector<Member>& members) {
    const double least = leastOf("unseen_sleep", workers, spread, members);
    return least > kMainPart * (spread.theirs - spread.others) ? least : 0;
}

std::string unseenSleepText(const Spread& spread, double unseen) {
    return fmt::format("; {} sleeps for at least {} of that, and the recorder does not see where",
                       eachText(spread), secondsText(unseen));
}

double offProcessorsOf(const LateWorkers& workers, const Spread& spread, const std::vector<Member>& members) {
    const double least = leastOf("off_processor", workers, spread, members);
    return least < kWorthSayingOfLate * spread.theirs ? 0 : least;
}

std::string offProcessorsText(const Spread& spread, double off) {
    if (off >= spread.theirs - spread.others)
        return fmt::format("; the difference is no more than the time in which {} slept or had no processor",
                           eachText(spread));
    return fmt::format("; for at least {} of that {} slept or had no processor", secondsText(off),
                       eachText(spread));
}

std::string sleepBesidesText(const LateWorkers& workers, const Spread& spread) {
    if (!workers.areAwake() || !workers.path()) return "";
    std::vector<double> sleep = workers.place().times(sleepTimes(), workers.path());
    const std::vector<double> told = workers.place().toldElsewhere(sleepTimes(), *workers.path());
    std::ranges::transform(sleep, told, sleep.begin(), std::minus());
    const LateWork asleep = lateWorkOf(spread, workers.members(sleep));
    if (!(asleep.theirs > 0) || asleep.theirs - asleep.others < kWorthSayingOfLate * spread.theirs) return "";
    return fmt::format("; besides, {} sleeps {} there", eachText(spread), secondsText(asleep.theirs));
}

bool mayLackProcessors(const LatePlace& place, std::optional<double> beyond, const Problem& problem) {
    const Measures& measures = place.measures();
    const auto others = static_cast<double>(measures.threads().size()) - 1;
    if (problem.pattern == wordOf(Spread::Shape::Even) || problem.locations.empty())
        return place.cost() <= others * starvationOf(measures).seconds;
    return beyond.value_or(place.cost()) <= waitedForProcessors(measures, problem.locations);
}

}  // namespace holos::algebra
