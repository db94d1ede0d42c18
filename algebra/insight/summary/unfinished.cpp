// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/unfinished.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "algebra/insight/summary/spread.h"
#include "algebra/insight/summary/words.h"
#include "algebra/model/queries.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/recorded_run.h"
#include "base/text.h"

namespace holos::algebra {
namespace {

/// Of a problem, or of the run.
constexpr double kMuchOfIt = 0.5;
const MetricNames kUnfinished{"unfinished_calls"};

/// The processes that were in such a call for much of their time, the one that was there longest first. How
/// others ended may not be known.
std::vector<Member> unfinishedIn(const Measures& measures) {
    constexpr double kLongPart = 0.1;
    std::vector<Member> unfinished;
    if (!hasFailed(measures.experiment()) || !measures.find(kUnfinished.front())) return unfinished;
    const std::vector<double> times = measures.perLocation({"time", "unrecorded"});
    const double run = std::max(measures.wall(), std::ranges::max(times));
    for (Member& process : processMembers(measures, measures.perLocation(kUnfinished)))
        if (process.value >= kLongPart * run) unfinished.push_back(std::move(process));
    std::ranges::stable_sort(unfinished, std::ranges::greater(), &Member::value);
    return unfinished;
}

/// Where most of that time is.
std::optional<CallPathId> placeOf(const Measures& measures) {
    const std::vector<double> values = measures.perPath(kUnfinished);
    const auto most = std::ranges::max_element(values);
    if (most == values.end() || !(*most > 0)) return std::nullopt;
    return CallPathId(static_cast<std::size_t>(most - values.begin()));
}

/// What of the problem's time is in such calls, as far as it was recorded.
double unfinishedWithin(const Measures& measures, CallPathId place) {
    const std::vector<double> unfinished = measures.perPath(kUnfinished), times = measures.perPath({"time"});
    double sum = 0;
    for (const CallPathId path : measures.experiment().callTree.subtree(place))
        sum += std::min(unfinished[path.index()], times[path.index()]);
    return sum;
}

/// Without such times, as of profiles: a call that one thread made once and that lasts for most of the run
/// may be what it hung in, until somebody ended it.
void doubtLongCalls(const Measures& measures, std::vector<Problem>& problems) {
    const std::vector<double> visits = measures.perPath({"visits"});
    for (Problem& problem : problems) {
        if (problem.isMistake || !problem.path) continue;
        const std::vector<double> times = perLocation(measures.experiment(), {*measures.find("time")},
                                                      {{*problem.path, Extent::Exclusive}});
        const auto callers =
            static_cast<double>(std::ranges::count_if(times, [](double time) { return time > 0; }));
        const double longest = std::ranges::max(times);
        const double calls = visits[problem.path->index()];
        if (calls == 0 || calls > callers || longest < kMuchOfIt * measures.wall()) continue;
        problem.what = "A call lasts for most of a run that failed";
        problem.why = fmt::format(
            "it lasts for up to {} and is made once by each: the run may have hung in it until it was ended",
            secondsText(longest));
        problem.remedy =
            "see what this call waits for, and how the run ended; `holos watch` says of a running "
            "program where it hangs";
        problem.gain.reset();
    }
}

}  // namespace

bool hasFailed(const Experiment& experiment) {
    return attribute(experiment.attributes, kFailedAttribute).has_value();
}

std::string unfinishedText(const Measures& measures) {
    const std::vector<Member> in = unfinishedIn(measures);
    const auto place = placeOf(measures);
    if (in.empty() || !place) return {};
    const std::size_t all = measures.processes().size();
    const std::string who = in.size() == 1     ? in.front().name
                            : in.size() == all ? fmt::format("all {} processes", all)
                                               : fmt::format("at least {} of {} processes", in.size(), all);
    const double here = measures.perPath(kUnfinished)[place->index()];
    double everywhere = 0;
    for (const Member& process : in) everywhere += process.value;
    constexpr double kAllButRounding = 0.99;
    std::string text = fmt::format("When the run ended, {} had been for {}{} in {} that did not return, {}{}",
                                   who, in.size() == 1 ? "" : "up to ", secondsText(in.front().value),
                                   in.size() == 1 ? "a call" : "calls",
                                   here < kAllButRounding * everywhere ? "most of that in " : "",
                                   pathText(measures.experiment(), *place));
    return text +
           ". How long these take otherwise is not known, so that no gain is told; `holos watch` says of a running "
           "program where it hangs.";
}

void leaveOutUnfinished(const Measures& measures, std::vector<Problem>& problems) {
    if (!hasFailed(measures.experiment())) return;
    if (!measures.find(kUnfinished.front())) return doubtLongCalls(measures, problems);
    if (unfinishedIn(measures).empty()) return;
    std::erase_if(problems, [&](const Problem& problem) {
        return !problem.isMistake && problem.path &&
               unfinishedWithin(measures, *problem.path) >= kMuchOfIt * problem.cost;
    });
    for (Problem& problem : problems) problem.gain.reset();
}

}  // namespace holos::algebra
