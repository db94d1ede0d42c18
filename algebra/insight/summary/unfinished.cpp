// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/unfinished.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

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

/// A thread was in it when its process ended.
struct OpenCall {
    CallPathId path;
    LocationId thread;
    double seconds = 0;
};

std::vector<OpenCall> openCalls(const Measures& measures) {
    std::vector<OpenCall> calls;
    const auto metric = measures.find(kUnfinished.front());
    if (!metric || !hasFailed(measures.experiment())) return calls;
    const std::vector<double> values = measures.perPath(kUnfinished);
    for (const CallPathId path : measures.experiment().callTree.ids()) {
        if (values[path.index()] == 0) continue;
        const auto each = perLocation(measures.experiment(), {*metric}, {{path, Extent::Exclusive}});
        for (const LocationId thread : measures.threads())
            if (each[thread.index()] > 0) calls.push_back({path, thread, each[thread.index()]});
    }
    return calls;
}

/// The calls that threads were in for much of their time, the longest first. How others ended may not be
/// known.
std::vector<OpenCall> longCalls(const Measures& measures) {
    constexpr double kLongPart = 0.1;
    std::vector<OpenCall> calls = openCalls(measures);
    const std::vector<double> times = measures.perLocation({"time", "unrecorded"});
    const double run = std::max(measures.wall(), std::ranges::max(times));
    std::erase_if(calls, [&](const OpenCall& call) { return call.seconds < kLongPart * run; });
    std::ranges::stable_sort(calls, std::ranges::greater(), &OpenCall::seconds);
    return calls;
}

ProcessId processOf(const Measures& measures, const OpenCall& call) {
    return measures.experiment().system[call.thread].process;
}

/// Who waits for the end of threads is not why these do not end. Takes such calls away where others of the
/// process did not return, either, and says how many that are.
std::size_t takeJoins(const Measures& measures, std::vector<OpenCall>& calls) {
    const auto isJoin = [&](const OpenCall& call) {
        const std::string& function = measures.experiment().regionOf(call.path).name;
        return (function.starts_with("pthread_") || function.starts_with("thrd_")) &&
               function.find("join") != std::string::npos;
    };
    std::set<ProcessId> haveOthers;
    for (const OpenCall& call : calls)
        if (!isJoin(call)) haveOthers.insert(processOf(measures, call));
    return std::erase_if(calls, [&](const OpenCall& call) {
        return isJoin(call) && haveOthers.contains(processOf(measures, call));
    });
}

/// Who was in them.
std::string callersText(const Measures& measures, const std::vector<OpenCall>& calls) {
    const SystemTree& system = measures.experiment().system;
    const std::size_t all = measures.processes().size();
    std::set<ProcessId> processes;
    for (const OpenCall& call : calls) processes.insert(processOf(measures, call));
    const std::string& first = system[*processes.begin()].name;
    if (calls.size() == 1) {
        const bool isFirstThread = std::ranges::any_of(measures.processes(), [&](const CountedProcess& one) {
            return one.threads.front() == calls.front().thread;
        });
        const std::string& thread = system[calls.front().thread].name;
        if (isFirstThread) return first;
        return all > 1 ? first + " / " + thread : thread;
    }
    if (processes.size() < calls.size()) {
        const std::string threads = fmt::format("{} threads", calls.size());
        if (all == 1) return threads;
        return processes.size() == 1
                   ? fmt::format("{} of {}", threads, first)
                   : fmt::format("{} of at least {} of {} processes", threads, processes.size(), all);
    }
    return processes.size() == all ? fmt::format("all {} processes", all)
                                   : fmt::format("at least {} of {} processes", processes.size(), all);
}

/// `main › MPI_Recv`, or where several call paths did not return these with who was in them: which of them is
/// why the others did not return, either, is not known.
std::string placesText(const Measures& measures, const std::vector<OpenCall>& calls) {
    constexpr std::size_t kMost = 3;
    std::vector<std::vector<OpenCall>> places;  // as the calls, the longest first
    for (const OpenCall& call : calls) {
        const auto known =
            std::ranges::find_if(places, [&](const auto& place) { return place.front().path == call.path; });
        (known == places.end() ? places.emplace_back() : *known).push_back(call);
    }
    std::vector<std::string> texts;
    for (const std::vector<OpenCall>& place : places)
        if (texts.size() < kMost)
            texts.push_back(pathText(measures.experiment(), place.front().path) +
                            (places.size() > 1 ? " (" + callersText(measures, place) + ')' : ""));
    if (places.size() > kMost) texts.push_back(fmt::format("{} more", places.size() - kMost));
    return listOf(texts);
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

std::vector<double> unfinishedParts(const Measures& measures, const std::vector<LossRule>& rules) {
    const Experiment& experiment = measures.experiment();
    const auto valueOf = [&](const MetricNames& names, CallPathId path, LocationId thread) {
        double sum = 0;
        for (const char* name : names)
            if (const auto metric = measures.find(name))
                sum += perLocation(experiment, {*metric}, {{path, Extent::Exclusive}})[thread.index()];
        return sum;
    };
    std::vector<double> parts(rules.size(), 0.0);
    for (const OpenCall& call : openCalls(measures)) {
        double rest = call.seconds;  // as far as it was recorded
        for (const CallPathId child : experiment.callTree.children(call.path))
            rest -= valueOf({"no_more_events"}, child, call.thread);
        for (const bool isUnexplained : {false, true})
            for (std::size_t i = 0; i < rules.size(); ++i) {
                const bool isOfCalls =
                    isUnexplained ? rules[i].plus == unexplainedWaits() : !rules[i].minus.empty();
                if (!isOfCalls) continue;
                const double value = valueOf(rules[i].plus, call.path, call.thread) -
                                     valueOf(rules[i].minus, call.path, call.thread);
                const double part = std::clamp(value, 0.0, std::max(0.0, rest));
                parts[i] += part;
                rest -= part;
            }
    }
    return parts;
}

std::string unfinishedText(const Measures& measures) {
    std::vector<OpenCall> calls = longCalls(measures);
    const std::size_t joins = takeJoins(measures, calls);
    if (calls.empty()) return {};
    const bool isOne = calls.size() == 1;
    std::string text =
        fmt::format("When the run ended, {} had been for {}{} in {} that did not return, {}",
                    callersText(measures, calls), isOne ? "" : "up to ", secondsText(calls.front().seconds),
                    isOne ? "a call" : "calls", placesText(measures, calls));
    if (joins > 0) text += fmt::format(", and {} more waited for the end of threads", joins);
    return text +
           ". How long these take otherwise is not known, so that no gain is told; `holos watch` says of a running "
           "program where it hangs.";
}

void leaveOutUnfinished(const Measures& measures, std::vector<Problem>& problems) {
    if (!hasFailed(measures.experiment())) return;
    if (!measures.find(kUnfinished.front())) return doubtLongCalls(measures, problems);
    if (longCalls(measures).empty()) return;
    std::erase_if(problems, [&](const Problem& problem) {
        return !problem.isMistake && problem.path &&
               unfinishedWithin(measures, *problem.path) >= kMuchOfIt * problem.cost;
    });
    for (Problem& problem : problems) problem.gain.reset();
}

}  // namespace holos::algebra
