// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/starvation.h"

#include <fmt/format.h>

#include <algorithm>

#include "algebra/insight/summary/rules.h"
#include "algebra/insight/summary/words.h"
#include "algebra/model/processors.h"
#include "algebra/operators/history/provenance.h"

namespace holos::algebra {

namespace {

/// Percent of the time of all threads.
constexpr double kMuch = 10;

}  // namespace

Starvation starvationOf(const Measures& measures) {
    constexpr double kRoundedUp = 1.05;
    const std::vector<double> times = measures.perLocation({"time"});
    const std::vector<double> works = measures.perLocation({"comp", "system_waiting", "processor_waiting"});
    const std::vector<double> computes = measures.perLocation({"comp"});
    Starvation starvation;
    starvation.notSplitOfWorkBy.resize(times.size());
    // The kernel counted the whole run.
    const auto made = provenanceOf(measures.experiment());
    if (made && made->operation == "cut") {
        starvation.seconds = starvation.ofComputation = measures.total(shortageTimes());
        starvation.isSplit = true;
        return starvation;
    }
    double allInCalls = 0, betweenEvents = 0;
    for (const LocationId thread : measures.threads()) {
        const auto counted = processorTimeOf(measures.experiment().system[thread]);
        if (!counted || !counted->waiting) continue;
        const double ready = counted->on + *counted->waiting;
        const double time = times[thread.index()];
        const bool isMore = ready > kRoundedUp * time;
        const double waited = isMore ? *counted->waiting * time / ready : *counted->waiting;
        const double inCalls = measures.find("comp") ? time - works[thread.index()] : 0;
        allInCalls += std::max(0.0, inCalls);
        betweenEvents += counted->betweenEvents.value_or(0);
        starvation.seconds += waited;
        starvation.ofComputation += std::clamp(waited - inCalls, 0.0, waited);
        starvation.isInProportion |= isMore;
        starvation.isSplit |= counted->betweenEvents.has_value();
        const double part = *counted->waiting > 0 ? waited / *counted->waiting : 0;
        const double notSplit = std::max(0.0, waited - part * counted->betweenEvents.value_or(0));
        starvation.notSplit += notSplit;
        const double ofWork = std::min(notSplit, std::max(0.0, computes[thread.index()]));
        starvation.notSplitOfWorkBy[thread.index()] = ofWork;
        starvation.notSplitOfWork += ofWork;
    }
    // Who calls next to nothing has no events between which it is known: all of it was in computation.
    constexpr double kHardlyAny = 0.01;
    if (!(betweenEvents > 0) && !(measures.total(shortageTimes()) > 0) &&
        allInCalls <= kHardlyAny * measures.time())
        starvation.isSplit = false;
    if (starvation.isSplit) {  // in calls, more may be known than what is between two events
        starvation.ofComputation = measures.total(shortageTimes());
        starvation.notSplit =
            std::min(starvation.notSplit, std::max(0.0, starvation.seconds - starvation.ofComputation));
        starvation.notSplitOfWork = std::min(starvation.notSplitOfWork, starvation.notSplit);
    }
    // Of threads that live for a short time the kernel's count may not be there.
    starvation.seconds = std::max(starvation.seconds, measures.total(shortageTimes()));
    return starvation;
}

bool isStarved(const Measures& measures, const Starvation& starvation) {
    return measures.percent(starvation.notSplit) >= kMuch;
}

double starvationThatMatters(const Measures& measures) {
    const Starvation starvation = starvationOf(measures);
    return isStarved(measures, starvation) ? starvation.notSplit : 0;
}

double starvationOfCalls(const Measures& measures) {
    const Starvation starvation = starvationOf(measures);
    return measures.percent(starvation.seconds) >= kMuch ? starvation.seconds : 0;
}

std::optional<std::string> starvationText(const Measures& measures, const Starvation& starvation) {
    const bool isMuch = measures.percent(starvation.seconds) >= kMuch;
    if (isMuch && !isStarved(measures, starvation) && measures.total({"mpi", "omp_time"}) > 0) {
        constexpr double kHardlyAny = 0.01;
        const std::string known =
            starvation.notSplit > kHardlyAny * starvation.seconds
                ? "Of " + secondsText(starvation.seconds - starvation.notSplit) + " of that it"
                : "It";
        return fmt::format(
            "Threads waited for processors for {} of their time ({}), by the kernel's count. {} is known when, so "
            "that it does not count as their computation; but what calls of MPI and OpenMP cost by themselves is "
            "not known",
            percentText(measures.percent(starvation.seconds)), secondsText(starvation.seconds), known);
    }
    if (!isStarved(measures, starvation)) return std::nullopt;
    constexpr double kNearlyAll = 0.99;
    const std::string known = !starvation.isSplit ? ""
                              : starvation.notSplit > kNearlyAll * starvation.seconds
                                  ? ". It is not known when"
                                  : fmt::format(". Of {} ({}) it is not known when",
                                                percentText(measures.percent(starvation.notSplit)),
                                                secondsText(starvation.notSplit));
    const bool hasCalls = measures.total({"mpi", "omp_time"}) > 0;
    const char* const means =
        measures.threads().size() < 2 ? ": the run took longer for that"
        : hasCalls ? ": who is late may be late because of that, and what calls of MPI and OpenMP cost by "
                     "themselves is not known"
                   : ": who is late may be late because of that";
    return fmt::format(
        "Threads waited for processors for {} of their time ({}), by the kernel's count{}{}. Record on a "
        "machine that nobody else uses, with a processor for each thread",
        percentText(measures.percent(starvation.seconds)), secondsText(starvation.seconds), known, means);
}

}  // namespace holos::algebra
