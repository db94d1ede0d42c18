// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <string_view>

#include "algebra/insight/summary/evidence.h"
#include "algebra/insight/summary/lateness.h"
#include "algebra/insight/summary/polling.h"
#include "algebra/insight/summary/replayed_gains.h"
#include "algebra/insight/summary/starvation.h"
#include "algebra/insight/summary/words.h"
#include "algebra/model/call_names.h"
#include "algebra/model/processors.h"
#include "algebra/operators/history/metric_names.h"
#include "base/number.h"
#include "base/text.h"

namespace holos::algebra {

namespace {

/// Attribute of a location: processors by the kernel's numbers, as `0-3,8`.
constexpr std::string_view kMayUse = "may use", kMayUseAtEnd = "may use at end";

/// How many processors a list has; 0 where it is none.
std::size_t sizeOf(std::string_view list) {
    std::size_t count = 0;
    while (!list.empty()) {
        const std::string_view range = list.substr(0, list.find(','));
        list.remove_prefix(std::min(list.size(), range.size() + 1));
        const std::size_t dash = range.find('-');
        const auto first = asNumber<std::uint32_t>(range.substr(0, dash));
        const auto last =
            dash == std::string_view::npos ? first : asNumber<std::uint32_t>(range.substr(dash + 1));
        if (!first || !last || *last < *first) return 0;
        count += std::size_t{*last} - *first + 1;
    }
    return count;
}

/// Of a node; 0 where it is not known.
std::size_t processorsOf(const SystemNode& node) {
    return std::size_t{1} * numberOf(node.attributes, kSocketsAttribute).value_or(0) *
           numberOf(node.attributes, kCoresAttribute).value_or(0) *
           numberOf(node.attributes, kUnitsAttribute).value_or(0);
}

/// Whoever binds a thread does so soon after its start: programs themselves, and OpenMP the first one at the
/// first parallel region.
std::optional<std::string> processorsOfThread(const Location& thread) {
    const auto atEnd = attribute(thread.attributes, kMayUseAtEnd);
    return atEnd ? atEnd : attribute(thread.attributes, kMayUse);
}

/// Threads of a node that may use the same processors.
struct Companions {
    SystemNodeId node;
    std::string processors;
    std::vector<LocationId> threads;
};

std::vector<Companions> companionsIn(const Measures& measures) {
    const SystemTree& system = measures.experiment().system;
    std::map<std::pair<SystemNodeId, std::string>, std::vector<LocationId>> groups;
    for (const LocationId thread : measures.threads())
        if (const auto list = processorsOfThread(system[thread]))
            groups[{system[system[thread].process].node, *list}].push_back(thread);
    std::vector<Companions> companions;
    for (auto& [key, threads] : groups) companions.push_back({key.first, key.second, std::move(threads)});
    return companions;
}

/// Threads that share fewer processors than they are; the most crowded ones.
const Companions* mostCrowded(const std::vector<Companions>& all) {
    const auto crowd = [](const Companions& each) {
        const std::size_t processors = sizeOf(each.processors);
        return processors == 0 ? 0.0
                               : static_cast<double>(each.threads.size()) / static_cast<double>(processors);
    };
    const auto most = std::ranges::max_element(
        all, [&](const Companions& a, const Companions& b) { return crowd(a) < crowd(b); });
    return most != all.end() && crowd(*most) > 1 ? &*most : nullptr;
}

/// What threads that share processors did with them, by the kernel's count; seconds of all of them.
struct Use {
    double on = 0;        ///< they had a processor
    double waiting = 0;   ///< they could run and had none
    double needed = 0;    ///< of `on`, in the part of the run that there is: at most so much of it to compute
    bool isKnown = true;  ///< of all of them
    bool isOnKnown = true;  ///< `on` of all of them
};

Use useOf(const Measures& measures, const std::vector<LocationId>& threads) {
    const std::vector<double> times = measures.perLocation({"time"});
    const std::vector<double> computes = measures.perLocation({"comp"});
    Use use;
    for (const LocationId thread : threads) {
        const auto counted = processorTimeOf(measures.experiment().system[thread]);
        use.isOnKnown &= counted.has_value();
        use.isKnown &= counted && counted->waiting;
        if (!counted) continue;
        if (!counted->waiting) {
            use.on += counted->on;
            continue;
        }
        const double ready = counted->on + *counted->waiting;
        const double part = ready > 0 ? std::min(1.0, times[thread.index()] / ready) : 1;
        use.on += counted->on;
        use.waiting += *counted->waiting;
        use.needed += std::min(part * counted->on, computes[thread.index()]);
    }
    return use;
}

/// Seconds in which others surely had the processors, if no limit of a container or job keeps the threads
/// from idle ones: as long as one of the threads waits all processors are in use, and the threads themselves
/// cannot have used more than they had. They wait for at least the n-th part of what all n of them wait.
double leastUseOfOthers(const Use& use, std::size_t processors, std::size_t threads) {
    const double busy = use.waiting * static_cast<double>(processors) /
                        static_cast<double>(std::max<std::size_t>(1, threads));
    return use.isKnown ? std::max(0.0, busy - use.on) : 0;
}

/// Seconds that the node's processors were there at most: a little longer than the trace, as processes start
/// before it. 0 where their number is not known.
double longestUse(const Measures& measures, SystemNodeId node) {
    constexpr double kTimes = 2, kBesides = 1;
    return static_cast<double>(processorsOf(measures.experiment().system.nodes[node])) *
           (kTimes * measures.wall() + kBesides);
}

/// Files that were changed may say anything.
bool canHaveBeenInUse(const Measures& measures, SystemNodeId node, double seconds) {
    const double longest = longestUse(measures, node);
    return seconds >= 0 && (longest == 0 || seconds <= longest);
}

/// Seconds in which others had the node's processors during the recording, by the kernel's count of all that
/// ran there; nothing where that, or what the run itself had, is not known. It counts in steps of 10 ms.
std::optional<double> useByOthers(const Measures& measures, SystemNodeId node) {
    const SystemTree& system = measures.experiment().system;
    const auto inUse = machineUseOf(system.nodes[node].attributes);
    if (!inUse || !canHaveBeenInUse(measures, node, *inUse)) return std::nullopt;
    double own = 0;
    for (const Location& location : system.locations) {
        if (location.type != Location::Type::Thread || system[location.process].node != node) continue;
        const auto counted = processorTimeOf(location);
        if (!counted) return std::nullopt;
        own += counted->on;
    }
    return std::max(0.0, *inUse - own);
}

/// Others had the processors for as long as these threads lacked some, and on average no more of the threads
/// could run at a time than there are processors: some wait for others, or live one after the other.
bool areEnough(const Measures& measures, const Use& use, double byOthers, std::size_t processors) {
    constexpr double kNearlyAll = 0.9;
    const double there = static_cast<double>(processors) * measures.wall();
    return use.isKnown && byOthers >= kNearlyAll * use.waiting && use.on + use.waiting <= there;
}

/// `others`: how long others waited for them.
std::string whyOfSplit(const Starvation& starvation, double others) {
    std::string text = fmt::format(
        "they could run and had no processor for {}, not counting times in which they waited for others anyway",
        secondsText(starvation.ofComputation));
    if (others > 0) text += fmt::format("; others waited {} for them meanwhile", secondsText(others));
    return text + ": this is no part of their computation, nor of any other problem";
}

/// How much of it was in calls of MPI, where that is most of it: each of these needs a processor to go on,
/// and on a busy machine their number matters, too.
std::string whyOfCalls(const Measures& measures, const Starvation& starvation) {
    constexpr double kMostly = 0.5;
    const std::vector<double> lacked = measures.perPath(shortageInCalls()),
                              visits = measures.perPath({"visits"});
    double seconds = 0, calls = 0;
    for (std::size_t path = 0; path < lacked.size(); ++path) {
        if (!(lacked[path] > 0)) continue;
        seconds += lacked[path];
        calls += visits[path];
    }
    if (seconds < kMostly * starvation.ofComputation || !(calls > 0)) return {};
    return fmt::format(
        "; {} of it was in {} calls of MPI for messages and collective operations, each of which may have to "
        "wait for a processor",
        secondsText(seconds), numberText(calls));
}

std::string whyOf(const Starvation& starvation) {
    std::string text = fmt::format(
        "they waited {} for a processor, by the kernel's count{}", secondsText(starvation.seconds),
        starvation.isInProportion ? " of the whole run, in proportion to the part that was analyzed" : "");
    constexpr double kAllButRounding = 0.99;
    if (starvation.ofComputation < kAllButRounding * starvation.seconds)
        text += fmt::format(", at least {} of it while they computed", secondsText(starvation.ofComputation));
    return text + ": this time is part of their computation and of their waiting";
}

/// One at a time, on average at most: such as programs that a process becomes one after the other.
bool followEachOther(const Measures& measures, const std::vector<LocationId>& threads) {
    constexpr double kRounding = 1.001;
    const std::vector<double> times = measures.perLocation({"time", "unrecorded"});
    double lives = 0;
    for (const LocationId thread : threads) lives += times[thread.index()];
    return lives <= kRounding * measures.wall();
}

/// Why threads had no processor.
struct Shortage {
    const char* kind = "lost-processors";
    std::string who;
    std::string use;                 ///< what proves it, where anything does
    std::optional<double> mostGain;  ///< seconds: these threads cannot be done earlier on these processors
};

Shortage shortageOf(const Measures& measures, const Companions& crowded) {
    const SystemNode& node = measures.experiment().system.nodes[crowded.node];
    const std::size_t usable = sizeOf(crowded.processors), there = processorsOf(node);
    const Use use = useOf(measures, crowded.threads);
    const auto allOfOthers = useByOthers(measures, crowded.node);
    const double byOthers = allOfOthers.value_or(leastUseOfOthers(use, usable, crowded.threads.size()));
    Shortage shortage;
    // Of the processors that they may use; what others used of the rest says nothing of them.
    const double byOthersThere =
        usable < there ? leastUseOfOthers(use, usable, crowded.threads.size()) : byOthers;
    if (byOthersThere <= use.on && usable < there)
        shortage.kind = "binding";
    else if (byOthersThere <= use.on && !(allOfOthers && areEnough(measures, use, byOthers, usable)) &&
             !followEachOther(measures, crowded.threads))
        shortage.kind = "oversubscription";
    const std::string threads = counted(crowded.threads.size(), "thread");
    if (usable >= there && there > 0)
        shortage.who = fmt::format("{} on {}, which has {}", threads, node.name, counted(there, "processor"));
    else
        shortage.who =
            fmt::format("{} on {} may use only {}", threads, node.name,
                        usable == 1 ? "processor " + crowded.processors
                                    : fmt::format("{} processors ({})", usable, crowded.processors));
    if (usable < there) shortage.who += fmt::format(" of {}", there);
    if (crowded.threads.size() > 1 && followEachOther(measures, crowded.threads))
        shortage.who += "; on average no more than one lives at a time";
    if (allOfOthers && use.isKnown)
        shortage.use = fmt::format(
            "; during the run these threads used processors for {}, and everything that was not recorded for {}",
            secondsText(use.on), secondsText(byOthers));
    else if (use.isOnKnown && byOthers > use.on)
        shortage.use = fmt::format(
            "; unless a container or job limits them, others had processors for at least {} while they "
            "waited; they themselves had processors for {} in the whole run",
            secondsText(byOthers), secondsText(use.on));
    if (use.isKnown)
        shortage.mostGain =
            std::max(0.0, measures.wall() - use.needed / static_cast<double>(std::max(usable, there)));
    return shortage;
}

/// A limit of more processors than there are stops nobody, and nobody can be stopped for longer than there
/// are processors. Files that were changed may say anything.
bool canBe(const Measures& measures, const ProcessorLimit& limit) {
    double longest = 0;
    std::size_t there = 0;
    const SystemTree& system = measures.experiment().system;
    for (const SystemNodeId node : system.nodes.ids()) {
        there += processorsOf(system.nodes[node]);
        longest += longestUse(measures, node);
    }
    return there == 0 || (limit.processors <= static_cast<double>(there) && limit.stopped <= longest);
}

/// The limit stopped them for most of the time that they had no processor. It stops all threads of a
/// processor at once, and is counted once for them.
std::optional<ProcessorLimit> limitThatStopped(const Measures& measures, double cost) {
    constexpr double kMostOfIt = 0.5;
    const auto limit = processorLimitOf(measures.experiment().attributes);
    if (!limit || !canBe(measures, *limit) || measures.percent(limit->stopped) < kWorthSaying)
        return std::nullopt;
    return limit->stopped >= kMostOfIt * cost ? limit : std::nullopt;
}

/// Where threads had no processor and most others waited for them.
void addWaitingOfOthers(const Measures& measures, Problem& problem) {
    constexpr std::size_t kShown = 3;
    const Experiment& experiment = measures.experiment();
    const std::vector<double> delays = measures.perPath({"delay"});
    std::vector<CallPathId> places;
    for (const CallPathId path : experiment.callTree.ids())
        if (experiment.regionOf(path).name == kShortageRegionName && delays[path.index()] > 0)
            places.push_back(path);
    std::ranges::stable_sort(places, std::ranges::greater(),
                             [&](CallPathId path) { return delays[path.index()]; });
    const std::string says =
        places.size() > kShown
            ? fmt::format("waiting of others meanwhile, in one of the {} places with most of it, out of {}",
                          kShown, places.size())
            : "waiting of others meanwhile";
    places.resize(std::min(places.size(), kShown));
    for (const CallPathId path : places) addEvidence(measures, {"delay"}, says, path, kAll, problem);
}

std::optional<Problem> sharedProcessors(const Measures& measures) {
    const Starvation starvation = starvationOf(measures);
    // Each second without a processor makes all others wait for one second at most.
    const double most = starvation.ofComputation * (static_cast<double>(measures.threads().size()) - 1);
    const double others = starvation.isSplit ? std::min(most, delaysOf(measures).ofShortage) : 0;
    const double cost = starvation.ofComputation + others;
    if (measures.percent(cost) < kWorthSaying) return std::nullopt;
    const std::vector<Companions> all = companionsIn(measures);
    const Companions* const crowded = mostCrowded(all);
    Shortage shortage = crowded != nullptr ? shortageOf(measures, *crowded) : Shortage{};
    const auto limit = limitThatStopped(measures, cost);
    if (limit) {
        shortage.kind = "processor-limit";
        shortage.use.clear();
    }
    Problem problem = problemOf(measures, shortage.kind, cost);
    problem.who = shortage.who;
    if (limit)
        problem.what =
            fmt::format("The container's or job's limit of {:.4g} processors stopped the threads for {}",
                        limit->processors, secondsText(limit->stopped));
    if (crowded != nullptr) problem.locations = crowded->threads;
    // Threads may live one after the other: fewer of them lacked a processor at a time.
    const double gain = measures.time() > 0 ? measures.wall() * cost / measures.time() : 0;
    problem.gain = std::min(gain, shortage.mostGain.value_or(gain));
    if (starvation.isSplit) {  // other values do not depend on it
        problem.isMistake = isStarved(measures, starvation);
        problem.mayCost = cost + starvation.notSplitOfWork;
        problem.why = whyOfSplit(starvation, others) + whyOfCalls(measures, starvation) + shortage.use;
        addEvidence(measures, shortageTimes(), "time of threads that had no processor", std::nullopt, kAll,
                    problem);
        addWaitingOfOthers(measures, problem);
        return problem;
    }
    problem.isMistake = true;
    // Others may have waited for each of those who had none.
    problem.mayCost = std::max(cost, starvation.seconds * static_cast<double>(measures.threads().size()));
    problem.remedy += "; do this first, as all other values depend on it";
    problem.why = whyOf(starvation) + shortage.use;
    addEvidence(measures, {"off_processor"}, "computation of threads that had no processor", std::nullopt,
                kAll, problem);
    return problem;
}

std::optional<Problem> expensiveRecording(const Measures& measures) {
    const double cost = measures.total("overhead");
    if (measures.percent(cost) < kWorthSaying) return std::nullopt;
    Problem problem = problemOf(measures, "recording", cost);
    problem.isMistake = true;
    problem.gain = cost / static_cast<double>(measures.threads().size());
    addEvidence(measures, {"overhead"}, "time of the recorder", std::nullopt, kAll, problem);
    return problem;
}

/// What a problem costs at least, if threads had no processor in their work at all times of which nobody
/// knows whether they had one, and all others waited for that.
double provenCost(const Measures& measures, const Starvation& starvation, const Problem& problem) {
    constexpr auto kOfCalls = std::to_array<std::string_view>(
        {"files", "polling", "communication", "small-messages", "collectives", "unexplained", "startup"});
    if (std::ranges::count(kOfCalls, problem.kind) > 0) return problem.cost;
    double lacked = starvation.notSplitOfWork;
    if (isBeyondOthers(problem) && !problem.locations.empty()) {
        lacked = 0;
        for (const LocationId late : problem.locations) lacked += starvation.notSplitOfWorkBy[late.index()];
    }
    return problem.cost - lacked * (static_cast<double>(measures.threads().size()) - 1);
}

}  // namespace

double leastSeconds(const Measures& measures) {
    const SystemTree& system = measures.experiment().system;
    std::map<SystemNodeId, std::vector<LocationId>> byNode;
    for (const LocationId thread : measures.threads())
        byNode[system[system[thread].process].node].push_back(thread);
    double least = 0;
    for (const auto& [node, threads] : byNode) {
        const std::size_t processors = processorsOf(system.nodes[node]);
        if (processors > 0)
            least = std::max(least, useOf(measures, threads).needed / static_cast<double>(processors));
    }
    return std::min(least, measures.wall());
}

std::vector<Problem> mistakes(const Measures& measures) {
    std::vector<Problem> found;
    for (auto search : {sharedProcessors, expensiveRecording, polling})
        if (auto problem = search(measures)) found.push_back(std::move(*problem));
    return found;
}

void sortByCost(const Measures& measures, std::vector<Problem>& problems) {
    const auto isLack = [](const Problem& one) { return one.isMistake && std::isfinite(one.mayCost); };
    const auto found = std::ranges::find_if(problems, isLack);
    const double lacked = found == problems.end() ? 0 : found->cost;
    const double mayLack = found == problems.end() ? std::numeric_limits<double>::infinity() : found->mayCost;
    const Starvation starvation = starvationOf(measures);
    const auto rank = [&](const Problem& problem) {
        if (problem.isMistake) return isLack(problem) ? 2 : 0;
        const bool isProven = problem.cost > mayLack || (std::isfinite(mayLack) && starvation.isSplit &&
                                                         provenCost(measures, starvation, problem) > lacked);
        return isProven ? 1 : 3;
    };
    std::ranges::stable_sort(problems, [&](const Problem& a, const Problem& b) {
        return rank(a) != rank(b) ? rank(a) < rank(b) : a.cost > b.cost;
    });
}

}  // namespace holos::algebra
