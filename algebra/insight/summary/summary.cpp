// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algebra/insight/findings/findings.h"
#include "algebra/insight/summary/classified.h"
#include "algebra/insight/summary/gain_limits.h"
#include "algebra/insight/summary/joined_threads.h"
#include "algebra/insight/summary/lone_thread.h"
#include "algebra/insight/summary/measures.h"
#include "algebra/insight/summary/problems.h"
#include "algebra/insight/summary/replayed_gains.h"
#include "algebra/insight/summary/result_laws.h"
#include "algebra/insight/summary/sleep.h"
#include "algebra/insight/summary/starvation.h"
#include "algebra/insight/summary/task_runs.h"
#include "algebra/insight/summary/unfinished.h"
#include "algebra/insight/summary/words.h"
#include "algebra/model/wait_files.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/recorded_run.h"
#include "base/error.h"
#include "base/text.h"

namespace holos::algebra {
namespace {

/// Of what a problem costs, or of the waiting that it is known by: that makes it one event.
constexpr double kMostlyOne = 0.5;

/// What is waited at one time, by one or by several.
struct WaitMoment {
    double begin = 0;
    double end = 0;
    double seconds = 0;  ///< of all who wait
};

/// Waits that overlap are one moment; the one in which most is waited.
WaitMoment largestMoment(std::vector<WaitInstance> waits) {
    std::ranges::sort(waits, {}, &WaitInstance::begin);
    WaitMoment largest, now;
    for (const WaitInstance& wait : waits) {
        const double end = wait.begin + wait.wait;
        if (now.seconds == 0 || wait.begin >= now.end) now = {wait.begin, end, 0};
        now.end = std::max(now.end, end);
        now.seconds += wait.wait;
        if (now.seconds > largest.seconds) largest = now;
    }
    return largest;
}

/// Whether others wait several times meanwhile, for most of that time in all: then who is waited for is late
/// again and again, even if one of those who wait does so only once.
bool recursMeanwhile(const WaitMoment& moment, const std::vector<WaitInstance>& instances) {
    constexpr double kMost = 0.5;
    const double length = moment.end - moment.begin;
    std::vector<WaitInstance> within;
    std::ranges::copy_if(instances, std::back_inserter(within), [&](const WaitInstance& wait) {
        return wait.begin >= moment.begin && wait.begin + wait.wait <= moment.end &&
               wait.wait <= kMost * length;
    });
    std::ranges::sort(within, {}, &WaitInstance::begin);
    double until = moment.begin, covered = 0;
    for (const WaitInstance& wait : within) {
        const double end = wait.begin + wait.wait;
        covered += std::max(0.0, end - std::max(until, wait.begin));
        until = std::max(until, end);
    }
    return covered >= kMost * length;
}

bool isWaitOf(const WaitRule& rule, const std::string& metric) {
    return std::ranges::find(rule.waits, metric) != rule.waits.end();
}

/// Whether it is known of the problem that it causes such waits.
bool causes(const Experiment& experiment, const Problem& problem, const std::string& wait) {
    return std::ranges::any_of(problem.evidence, [&](const Evidence& evidence) {
        const std::string& name = experiment.metrics[evidence.metric].uniqueName;
        return std::ranges::any_of(waitRules(), [&](const WaitRule& rule) {
            return isWaitOf(rule, wait) && std::ranges::find(rule.delays, name) != rule.delays.end();
        });
    });
}

/// Whether several of the problem's waits fit into the moment one after the other, by waits that are not kept
/// one by one, but by the part of the run in which they begin.
bool recursInCourse(const Measures& measures, const WaitMoment& moment, const Problem& problem) {
    constexpr double kMost = 0.5;
    const double length = moment.end - moment.begin, part = measures.wall() / kCourseParts;
    for (const WaitCourse& course : waitCoursesOf(measures.experiment())) {
        if (course.typical.empty() || !causes(measures.experiment(), problem, course.metric)) continue;
        double until = moment.begin, covered = 0;
        std::size_t waits = 0;
        for (std::size_t i = 0; i < kCourseParts; ++i) {
            const double end = part * static_cast<double>(i + 1), typical = course.typical[i];
            const double begin = std::max(until, end - part);
            if (!(typical > 0) || typical > kMost * length || begin >= end || begin + typical > moment.end)
                continue;
            until = begin + typical;
            covered += typical;
            ++waits;
        }
        if (waits > 1 && covered >= kMost * length) return true;
    }
    return false;
}

/// Says of problems that are mostly one wait, however many wait at that time, that one run cannot tell
/// whether it recurs.
void doubtSingleWaits(const Measures& measures, std::vector<Problem>& problems) {
    const std::vector<WaitInstance> instances = instancesOf(measures.experiment());
    if (instances.empty()) return;
    for (Problem& problem : problems) {
        // Between the tasks that are run in it, a barrier is waited at again and again.
        if (problem.path && isOfTasks(measures, *problem.path)) continue;
        for (const Evidence& evidence : problem.evidence) {
            const std::string& name = measures.experiment().metrics[evidence.metric].uniqueName;
            if (problem.isMistake ||
                std::ranges::none_of(waitRules(), [&](const WaitRule& rule) { return isWaitOf(rule, name); }))
                continue;
            std::vector<WaitInstance> waits;
            std::ranges::copy_if(instances, std::back_inserter(waits),
                                 [&](const WaitInstance& wait) { return wait.metric == name; });
            const WaitMoment moment = largestMoment(std::move(waits));
            // Of waiting for those who had no processor, nothing is a cost of the problem.
            const double all = std::max(problem.cost, evidence.value);
            if (moment.seconds < kMostlyOne * all || recursMeanwhile(moment, instances) ||
                recursInCourse(measures, moment, problem))
                continue;
            problem.chance = fmt::format(
                "{} of it is waited at one time, {} after the start of the run: one run cannot tell whether "
                "that happens each time; repeat it, and `holos show RUN1 RUN2 RUN3` says what recurs",
                percentText(std::min(100.0, 100 * moment.seconds / all)), secondsText(moment.begin));
        }
    }
}

/// A time that cannot be, by more than the rounding of what is said.
bool isImpossible(const Measures& measures, const BrokenResultLaw& law, const LossRule& rule) {
    if (measures.percent(law.seconds) < kWorthNaming) return false;
    return law.metrics.empty() || std::ranges::any_of(rule.plus, [&](const char* name) {
               return std::ranges::count(law.metrics, name) > 0;
           });
}

/// Threads that let others have their processors do not sleep, nor those whose children work.
const char* nameOf(const Measures& measures, const LossRule& rule) {
    if (std::ranges::count(rule.plus, std::string_view("system_waiting")) == 0) return rule.name;
    const std::vector<double> waits = measures.perPath({"system_waiting"});
    double yields = 0, forChildren = 0;
    for (std::size_t path = 0; path < waits.size(); ++path) {
        const std::string& function = measures.experiment().regionOf(CallPathId(path)).name;
        if (isYield(function)) yields += waits[path];
        if (waitsForChildren(function)) forChildren += waits[path];
    }
    if (measures.percent(yields) >= kWorthNaming) return "sleeping or letting others have the processor";
    return measures.percent(forChildren) >= kWorthNaming ? "sleeping or waiting for processes that it started"
                                                         : rule.name;
}

/// Percent by which losses are more than the time of all threads.
double beyondAll(const std::vector<Loss>& losses) {
    double beyond = -100;
    for (const Loss& loss : losses) beyond += loss.percent;
    return std::max(0.0, beyond);
}

/// Without those that contradict others.
std::vector<Loss> lossesOf(const Measures& measures, const std::vector<BrokenResultLaw>& laws) {
    std::vector<Loss> losses;
    const auto lone = loneThreadOf(measures);
    const Starvation starvation = starvationOf(measures);
    const double lacked = starvation.isSplit ? 0 : starvation.ofComputation;  // no metric has it
    const auto isShortage = [](const LossRule& rule) { return rule.plus == shortageTimes(); };
    const auto isOf = [](const LossRule& rule, const char* metric) {
        return std::ranges::count(rule.plus, std::string_view(metric)) > 0;
    };
    const double idle = idleAtStart(measures);
    std::optional<std::size_t> shortage;
    const std::vector<double> unfinished = unfinishedParts(measures, lossRules());
    double percentUnfinished = 0;
    for (std::size_t i = 0; i < lossRules().size(); ++i) {
        const LossRule& rule = lossRules()[i];
        if (std::ranges::any_of(laws, [&](const auto& law) { return isImpossible(measures, law, rule); }))
            continue;
        const double noLoss = rule.mayCoordinate               ? waitingWhileAllWork(measures, rule.plus)
                              : isOf(rule, "omp_idle_threads") ? idle
                                                               : 0;
        const double more = rule.isOfJoins && lone        ? lone->inJoins
                            : isShortage(rule)            ? lacked
                            : isOf(rule, "mpi_init_exit") ? idle
                                                          : 0;
        const double percent = measures.percent(measures.total(rule.plus) + more -
                                                measures.total(rule.minus) - noLoss - unfinished[i]);
        percentUnfinished += measures.percent(unfinished[i]);
        const bool knowsWaits =
            measures.knowsWaits() &&
            (!rule.needsItsWaits || std::ranges::any_of(rule.minus, [&](const char* name) {
                return measures.find(name).has_value();
            }));
        const bool hasWaits = rule.withWaits != nullptr && !knowsWaits;
        if (percent > 0 && isShortage(rule)) shortage = losses.size();
        if (percent > 0) losses.push_back({hasWaits ? rule.withWaits : nameOf(measures, rule), percent});
    }
    if (percentUnfinished > 0) losses.push_back({"calls that did not return", percentUnfinished});
    // What threads lacked at times that nobody knows may have been a part of their sleep.
    if (shortage) losses[*shortage].percent -= std::min(beyondAll(losses), measures.percent(lacked));
    std::ranges::stable_sort(losses, std::ranges::greater(), &Loss::percent);
    return losses;
}

void keepWorthNaming(std::vector<Loss>& losses) {
    std::erase_if(losses, [](const Loss& loss) { return loss.percent < kWorthNaming; });
    if (losses.size() > kMostLosses) losses.resize(kMostLosses);
}

/// Waiting for the end of threads that are too short, and starting them, is one problem.
void joinShortThreads(const Measures& measures, std::vector<Problem>& problems) {
    const auto isOfThem = [](const Problem& problem) { return problem.kind == "short-threads"; };
    const auto first = std::ranges::find_if(problems, isOfThem);
    if (first == problems.end()) return;
    const auto second = std::find_if(first + 1, problems.end(), isOfThem);
    if (second == problems.end()) return;
    first->cost += second->cost;
    first->percent = measures.percent(first->cost);
    first->gain = first->gain.value_or(0) + second->gain.value_or(0);
    std::ranges::move(second->evidence, std::back_inserter(first->evidence));
    problems.erase(second);
}

/// Who waits while tasks are created that do next to nothing waits because of these, whoever creates them.
void joinSmallTasks(const Measures& measures, std::vector<Problem>& problems) {
    constexpr auto kOfWork = std::to_array<std::string_view>(
        {"imbalance", "growing-imbalance", "serial", "in-turn", "large-task"});
    const auto small = std::ranges::find(problems, "small-tasks", &Problem::kind);
    if (small == problems.end()) return;
    double waiting = 0;
    std::erase_if(problems, [&](const Problem& problem) {
        const bool isOfThem = std::ranges::count(kOfWork, problem.kind) > 0 && !problem.isSleep &&
                              problem.path && isOfTasks(measures, *problem.path);
        if (isOfThem) waiting += problem.cost;
        return isOfThem;
    });
    Problem& joined = *std::ranges::find(problems, "small-tasks", &Problem::kind);
    joined.cost += waiting;
    joined.percent = measures.percent(joined.cost);
    joined.gain = joined.cost / static_cast<double>(measures.threads().size());
    if (waiting > 0) joined.why = "others wait " + secondsText(waiting) + " meanwhile";
}

/// The problems that are worth saying.
std::vector<Problem> problemsOf(const Measures& measures) {
    std::vector<Problem> problems;
    for (auto search : {mistakes, delayProblems, costProblems})
        for (Problem& problem : search(measures)) problems.push_back(std::move(problem));
    leaveOutToldSleep(measures, problems);
    joinShortThreads(measures, problems);
    joinSmallTasks(measures, problems);
    double largest = 0, largestOfProgram = 0;
    for (const Problem& problem : problems) {
        if (!problem.isMistake) largest = std::max(largest, problem.cost);
        if (!problem.isMistake && !isOfMachine(problem))
            largestOfProgram = std::max(largestOfProgram, problem.cost);
    }
    std::erase_if(problems, [&](const Problem& problem) {
        const double compared = isOfMachine(problem) ? largest : largestOfProgram;
        return problem.percent < kWorthSaying ||
               (!problem.isMistake && problem.cost < kBesideTheLargest * compared);
    });
    sortByCost(measures, problems);
    if (problems.size() > kMostProblems) problems.resize(kMostProblems);
    return problems;
}

/// Each process was there for most of the run: of the rest nobody knows what was missing.
bool areThereTogether(const Measures& measures) {
    constexpr double kMost = 0.5;
    const std::vector<double> times = measures.perLocation({"time"});
    return std::ranges::all_of(measures.processes(), [&](const CountedProcess& process) {
        return std::ranges::any_of(process.threads, [&](LocationId thread) {
            return times[thread.index()] >= kMost * measures.wall();
        });
    });
}

/// Paradigms in whose calls a thread may wait, and nobody knows how long, with what it waits for then.
struct UnknownWaits {
    std::string_view paradigm;
    const char* what;
};
constexpr const char* kForAccelerators = "waiting for accelerators";
constexpr const char* kForOtherProcesses = "waiting for other processes";
constexpr auto kUnknownWaits = std::to_array<UnknownWaits>({{"cuda", kForAccelerators},
                                                            {"hip", kForAccelerators},
                                                            {"opencl", kForAccelerators},
                                                            {"openacc", kForAccelerators},
                                                            {"openmp target", kForAccelerators},
                                                            {"shmem", kForOtherProcesses},
                                                            {"gaspi", kForOtherProcesses},
                                                            {"upc", kForOtherProcesses}});

/// What threads may wait for in calls that take a part of the time worth naming; none in most runs.
std::vector<std::string> unknownWaitsOf(const Measures& measures) {
    const Experiment& experiment = measures.experiment();
    const std::vector<double> times = measures.perPath({"time"});
    std::map<std::string, double> seconds;
    for (const CallPathId path : experiment.callTree.ids()) {
        const auto known =
            std::ranges::find(kUnknownWaits, experiment.regionOf(path).paradigm, &UnknownWaits::paradigm);
        if (known != kUnknownWaits.end()) seconds[known->what] += times[path.index()];
    }
    std::vector<std::string> waits;
    for (const auto& [what, all] : seconds)
        if (measures.percent(all) >= kWorthNaming) waits.push_back(what);
    return waits;
}

/// It may have said that something was not recorded.
bool isRecordingUnread(const Experiment& experiment) {
    return attribute(experiment.attributes, kUnreadFactsAttribute).has_value();
}

/// Of the time of all threads, that in which their events were not recorded.
double unrecordedPart(const Measures& measures) {
    const double unrecorded = measures.total("unrecorded");
    return unrecorded > 0 ? unrecorded / (unrecorded + measures.time()) : 0;
}
constexpr double kMuchUnrecorded = 0.01;

/// Calls by which a thread lets others have its processor: those that return at once are not recorded, and a
/// thread that waits by them seems to compute.
bool hasYields(const Measures& measures) {
    const std::vector<double> visits = measures.perPath({"visits"});
    return std::ranges::any_of(measures.experiment().callTree.ids(), [&](CallPathId path) {
        return visits[path.index()] > 0 && isYield(measures.experiment().regionOf(path).name);
    });
}

/// Why nobody knows whether the run is healthy, such as what was not measured.
std::string unknownText(const Measures& measures) {
    if (hasFailed(measures.experiment())) return "not all of its processes exited with code 0";
    if (isRecordingUnread(measures.experiment())) return "not all that is said of its recording can be read";
    std::vector<std::string> missing;
    for (const std::string& left : notRecordedOf(measures.experiment()))
        missing.emplace_back(left.find("MPI is") != std::string::npos     ? "MPI"
                             : left.find(" forked ") != std::string::npos ? "what forked processes do"
                                                                          : "OpenMP");
    if (missing.empty() && measures.knowsWaits() && hasDamage(measures.experiment()))
        return "the trace has gaps or damage";
    if (missing.empty() && unrecordedPart(measures) > kMuchUnrecorded)
        return fmt::format("{} of the time of all threads was not recorded",
                           percentText(100 * unrecordedPart(measures)));
    if (missing.empty() && !areThereTogether(measures))
        return "some processes were there for less than half of the run";
    if (missing.empty() && starvationThatMatters(measures) > 0)
        return "threads lacked processors for much of the time";
    if (missing.empty() && secondsOfOnlyThread(measures) > 0)
        return "its first thread works alone for much of the time";
    if (missing.empty() && hasYields(measures)) return "threads that wait by sched_yield seem to compute";
    if (!measures.knowsWaits())
        missing.emplace_back("waiting");
    else if (!measures.knowsThreads())
        missing.emplace_back("waiting of threads for each other");
    if (!measures.find("imbalance")) missing.emplace_back("imbalance");
    if (!measures.find("overhead")) missing.emplace_back("the time of the recorder");
    std::ranges::move(unknownWaitsOf(measures), std::back_inserter(missing));
    if (missing.empty()) missing.emplace_back("computation");
    return listOf(missing) + (missing.size() == 1 ? " was not measured" : " were not measured");
}

/// Enough to call a run healthy.
bool isKnown(const Measures& measures) {
    const Experiment& experiment = measures.experiment();
    return measures.knowsAll() && notRecordedOf(experiment).empty() && !hasFailed(experiment) &&
           !isRecordingUnread(experiment) && !hasDamage(experiment) &&
           unrecordedPart(measures) <= kMuchUnrecorded && areThereTogether(measures) &&
           !(starvationThatMatters(measures) > 0) && !(secondsOfOnlyThread(measures) > 0) &&
           !hasYields(measures) && unknownWaitsOf(measures).empty();
}

/// ` ran for 5.20 s`; less is known of a run of which only a part was recorded: no thread for longer than
/// this.
std::string durationText(const Measures& measures, const Summary& summary, std::size_t processes) {
    if (unrecordedPart(measures) <= kMuchUnrecorded) return " ran for " + secondsText(summary.seconds);
    const double recorded = std::ranges::max(measures.perLocation({"time"}));
    const double all = std::ranges::max(measures.perLocation({"time", "unrecorded"}));
    return fmt::format(" {} recorded for {} of {} run of {}", processes == 1 ? "was" : "were",
                       secondsText(recorded), processes == 1 ? "its" : "their",
                       secondsText(std::max(summary.seconds, all)));
}

/// More than half of what is lost, and much.
bool isMostlyStart(const Measures& measures, const Summary& summary) {
    const double start = measures.percentOfStart() + measures.percent(idleAtStart(measures));
    return start >= kMostlyStart && 2 * start > summary.percentLost;
}

/// ` (2 more nearly always sleep and do not count)`, of threads.
std::string sleepersText(const Measures& measures) {
    const auto all = static_cast<std::size_t>(
        std::ranges::count(measures.experiment().system.locations, Location::Type::Thread, &Location::type));
    const std::size_t sleepers = all - std::min(all, measures.threads().size());
    if (sleepers == 0) return {};
    return sleepers == 1 ? " (one more nearly always sleeps and does not count)"
                         : fmt::format(" ({} more nearly always sleep and do not count)", sleepers);
}

std::string runText(const Measures& measures, const Summary& summary, bool isComplete) {
    const std::size_t processes = measures.processes().size(), threads = measures.threads().size();
    const std::string sleepers = sleepersText(measures);
    std::string text = counted(processes, "process");
    if (threads > processes || !sleepers.empty())
        text +=
            fmt::format(" with {}{}{}", counted(threads, "thread"), threads > 1 ? " in all" : "", sleepers);
    if (!isComplete)
        return text +
               fmt::format(
                   ": {} by what is known, but not all of the run is there, or it does not fit together.",
                   secondsText(summary.seconds));
    text += durationText(measures, summary, processes) + ".";
    if (summary.isHealthy)
        return text + fmt::format(" The run is healthy: {} of the time of all threads is lost.",
                                  percentText(summary.percentLost));
    const bool isUnknown = !isKnown(measures) && summary.problems.empty();
    constexpr double kRoundsToNothing = 0.05;  // less is 0.0 %
    if (isUnknown && summary.percentLost < kRoundsToNothing)
        return text + " What is lost is not known, nor whether the run is healthy: " + unknownText(measures) +
               ".";
    text += fmt::format(" {}{} of the {}time of all threads is lost",
                        isUnknown || !summary.isWhole ? "At least " : "", percentText(summary.percentLost),
                        unrecordedPart(measures) > kMuchUnrecorded ? "recorded " : "");
    std::vector<std::string> parts;
    double others = summary.percentLost;
    for (const Loss& loss : summary.losses) {
        parts.push_back(percentText(loss.percent) + " " + loss.name);
        others -= loss.percent;
    }
    if (!parts.empty() && others >= kWorthNaming) parts.push_back(percentText(others) + " in other ways");
    text += parts.empty() ? "." : ": " + listOf(parts) + ".";
    if (isUnknown)
        text += " Whether the run is healthy is not known: " + unknownText(measures) + ".";
    else if (summary.problems.empty() && isMostlyStart(measures, summary))
        text +=
            " Most of that is starting and ending MPI: the run is too short to tell much about the program.";
    else if (summary.problems.empty())
        text += " No single cause stands out.";
    return text;
}

/// What the specification's findings say of most of the time.
std::vector<std::string> notesOf(const Experiment& experiment) try {
    constexpr std::size_t kMost = 3;
    std::vector<std::string> notes;
    if (!experiment.files.contains(kSpecificationFile)) return notes;
    for (const FindingResult& finding : findings(experiment).found)
        if (finding.percent.value_or(0) >= kWorthFinding && notes.size() < kMost)
            notes.push_back(fmt::format("{} (in call paths with {} of the time)", finding.title,
                                        percentText(*finding.percent)));
    return notes;
} catch (const Error&) {  // a specification that cannot be read defines none
    return {};
}

/// What results say that contradict each other is not told.
void withhold(const std::vector<BrokenResultLaw>& laws, const Experiment& experiment, Summary& summary) {
    for (const BrokenResultLaw& law : laws) {
        std::erase_if(summary.problems, [&](const Problem& problem) {
            if (law.metrics.empty()) return true;
            return !problem.evidence.empty() &&
                   std::ranges::count(law.metrics,
                                      experiment.metrics[problem.evidence.front().metric].uniqueName) > 0;
        });
        summary.isHealthy = false;
        summary.doubts.insert(
            summary.doubts.begin(),
            {"These results contradict each other, and nothing is said of them: " + law.text, "holos check"});
    }
}

std::optional<Summary> judge(const Experiment& experiment) {
    const Measures measures(experiment);
    if (!(measures.time() > 0)) return std::nullopt;
    Summary summary;
    summary.seconds = measures.wall();
    const std::vector<BrokenResultLaw> laws = brokenResultLaws(experiment);
    summary.losses = lossesOf(measures, laws);
    for (const Loss& loss : summary.losses) summary.percentLost += loss.percent;
    keepWorthNaming(summary.losses);
    summary.first = firstToKnow(experiment);
    const bool isComplete = brokenLawsOf(experiment).empty();
    if (isComplete) {
        summary.problems = problemsOf(measures);
        summary.notes = notesOf(experiment);
    }
    doubtSingleWaits(measures, summary.problems);
    takeReplayedGains(measures, summary.problems);
    leaveOutUnfinished(measures, summary.problems);
    limitGains(measures, summary.percentLost, summary.problems);
    summary.isHealthy =
        isComplete && summary.problems.empty() && summary.percentLost < kHealthy && isKnown(measures);
    summary.doubts = doubtsOf(measures);
    summary.isWhole = laws.empty();
    withhold(laws, experiment, summary);
    summary.run = runText(measures, summary, isComplete);
    if (const std::string unfinished = unfinishedText(measures); !unfinished.empty())
        summary.run += ' ' + unfinished;
    return summary;
}

/// Users can select only what their experiment has.
void keepEvidenceOf(const Experiment& experiment, Summary& summary) {
    for (Problem& problem : summary.problems)
        std::erase_if(problem.evidence, [&](const Evidence& evidence) {
            return evidence.metric.index() >= experiment.metrics.size();
        });
}

}  // namespace

std::optional<Summary> summarize(const Experiment& experiment) {
    if (!isOfRun(experiment) || attribute(experiment.attributes, kPartAttribute)) return std::nullopt;
    const std::optional<Experiment> withKinds = classified(experiment);
    if (!withKinds) return judge(experiment);
    std::optional<Summary> summary = judge(*withKinds);
    if (summary) keepEvidenceOf(experiment, *summary);
    return summary;
}

bool isOfMachine(const Problem& problem) {
    constexpr auto kKinds = std::to_array<std::string_view>(
        {"binding", "oversubscription", "processor-limit", "lost-processors", "recording"});
    return std::ranges::count(kKinds, problem.kind) > 0;
}

double gainSeconds(const Summary& summary, const Problem& problem) {
    if (!problem.gain || !(*problem.gain > 0) || !(summary.seconds > 0)) return 0.0;
    return std::min({*problem.gain, mostGain(summary.seconds, problem), summary.seconds});
}

namespace {

/// Names of C++ can take half a page, and stand above it anyway.
std::string conditionText(const Problem& problem) {
    constexpr std::size_t kLong = 100;
    const std::string& condition = problem.replayedWith;
    if (condition.size() <= kLong || !problem.path) return '`' + condition + '`';
    const std::string kind = condition.substr(0, condition.find(' '));
    const bool hasValue = kind == "limit" || kind == "speedup";  // signs of equality are in names, too
    return '`' + kind + (hasValue ? " …" + condition.substr(condition.rfind('=')) : "") +
           "` of this call path";
}

}  // namespace

double costPercent(const Summary& summary, const Problem& problem) {
    const double gain = gainSeconds(summary, problem);
    return gain > 0 ? std::max(problem.percent, 100 * gain / summary.seconds) : problem.percent;
}

std::string costText(const Summary& summary, const Problem& problem) {
    constexpr double kMore = 0.5;  // or else it is the same number, rounded
    const std::string own = fmt::format("{:.1f} % of the time of all threads", problem.percent);
    const double cost = costPercent(summary, problem);
    return cost < problem.percent + kMore ? own : percentText(cost) + " of the run, " + own;
}

std::string gainText(const Summary& summary, const Problem& problem) {
    const double gain = gainSeconds(summary, problem);
    if (!(gain > 0)) return {};
    const std::string size = fmt::format("{} of {} ({})", secondsText(gain), secondsText(summary.seconds),
                                         percentText(100 * gain / summary.seconds));
    if (!problem.replayedWith.empty())
        return fmt::format("at most {}, by a replay with {}", size, conditionText(problem));
    return fmt::format("perhaps {}{}, an estimate that no replay has tested", size,
                       isBeyondOthers(problem) && !problem.isSleep ? " if that work is shared out" : "");
}

}  // namespace holos::algebra
