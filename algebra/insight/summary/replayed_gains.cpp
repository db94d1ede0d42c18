// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/replayed_gains.h"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "algebra/insight/summary/spread.h"
#include "algebra/insight/summary/starvation.h"
#include "algebra/insight/summary/task_runs.h"
#include "algebra/model/number_lines.h"
#include "base/function_name.h"

namespace holos::algebra {

namespace {

/// The member of `Experiment::files`: for each gain a line of kind and seconds, one of the condition and one
/// of the call path. Names have no line ends.
constexpr const char* kGainsFile = "holos.gains";

std::string oneLine(std::string text) {
    for (char& letter : text)
        if (letter == '\n') letter = ' ';
    return text;
}

}  // namespace

std::string keyOf(const Experiment& experiment, std::optional<CallPathId> path) {
    std::string key;
    for (; path; path = experiment.callTree.parent(*path))
        key = '/' + folded(experiment.regionOf(*path).name, Folding::All) + key;
    return oneLine(key);
}

void keepReplayedGains(const std::vector<ReplayedGain>& gains, Experiment& experiment) {
    std::string text;
    for (const ReplayedGain& gain : gains)
        text +=
            numberLineText({gain.kind, {gain.seconds}}) + oneLine(gain.condition) + '\n' + gain.path + '\n';
    experiment.files[kGainsFile] = text;
}

std::vector<ReplayedGain> replayedGainsOf(const Experiment& experiment) {
    std::vector<ReplayedGain> gains;
    const auto file = experiment.files.find(kGainsFile);
    if (file == experiment.files.end()) return gains;
    std::istringstream lines(file->second);
    for (std::string first, condition, path;
         std::getline(lines, first) && std::getline(lines, condition) && std::getline(lines, path);)
        if (const auto line = numberLineIn(first); line && line->numbers.size() == 1)
            gains.push_back({line->name, path, condition, line->numbers.front()});
    return gains;
}

bool isBeyondOthers(const Problem& problem) {
    return problem.kind == "imbalance" || problem.kind == "growing-imbalance" || problem.kind == "serial" ||
           problem.kind == "slow-node" || problem.kind == "join" || problem.kind == "signal" ||
           problem.kind == "wake";
}

namespace {

bool isEvenOnTheWhole(const Problem& problem) {
    return problem.pattern == wordOf(Spread::Shape::Even);
}

/// By a replay with even work, which is so many seconds shorter.
bool isHardlyShorter(const Measures& measures, double seconds, const Problem& problem) {
    constexpr double kHardly = 0.1;  // of what each thread loses
    const bool isOfWork =
        (problem.kind == "imbalance" || problem.kind == "growing-imbalance") && !problem.isSleep;
    const double each = problem.cost / static_cast<double>(measures.threads().size());
    return isOfWork && seconds < kHardly * each;
}

/// Nobody has more to do on the whole, even work hardly helps, and others may wait only for those who had no
/// processor.
bool isLackOfProcessors(const Measures& measures, double seconds, const Problem& problem) {
    const auto others = static_cast<double>(measures.threads().size()) - 1;
    return isEvenOnTheWhole(problem) && isHardlyShorter(measures, seconds, problem) &&
           problem.cost <= others * starvationOfCalls(measures);
}

/// Doubts that even work helps: who is late would be so with even work, too, or what comes next does not wait
/// for them: who gives them less to do gains nothing. Of a run that lacked processors a replay does not tell
/// that, unless nobody has more to do on the whole. Whether it doubts it.
bool doubtEvenWork(const Measures& measures, double seconds, Problem& problem) {
    const bool isEven = isEvenOnTheWhole(problem);
    if (!isHardlyShorter(measures, seconds, problem)) return false;
    if (!isEven && starvationOfCalls(measures) > 0) return false;
    problem.why += std::string(problem.why.empty() ? "" : "; ") +
                   "a replay in which all work equally long there is hardly shorter";
    problem.remedy =
        isEven
            ? "see whether each needs what another one has to do before, and let it have that earlier; also "
              "whether each has a processor"
            : "look at the other problems first, and for what makes them late besides their work: more even "
              "work alone does not help";
    return true;
}

/// A replay knows better than a formula, but for work beyond others', and where threads had no processor: on
/// an ideal network messages do not take the time of which that made them longer.
bool mayBeMore(const Measures& measures, const Problem& problem, const ReplayedGain& replayed) {
    return isBeyondOthers(problem) ||
           (replayed.condition.starts_with("network=") && starvationOfCalls(measures) > 0);
}

/// Replays with even work know where teams of OpenMP and processes meet, but not where other threads do. They
/// leave tasks with the threads that executed them, and what a program does between tests for messages as it
/// was: they gain little there, whatever even work would bring.
bool isNotReplayed(const Measures& measures, const Problem& problem) {
    if (problem.kind != "imbalance" && problem.kind != "growing-imbalance") return false;
    constexpr double kSome = 0.1;
    const auto isOfPolls = [](std::string_view name) {
        return name.ends_with("_polling") && (name.starts_with("mpi_") || name.starts_with("system_"));
    };
    const Experiment& experiment = measures.experiment();
    const bool isOfWaits = std::ranges::any_of(problem.evidence, [&](const Evidence& evidence) {
        const std::string& name = experiment.metrics[evidence.metric].uniqueName;
        return name == "pthread_barrier_wait" || (isOfPolls(name) && evidence.value >= kSome * problem.cost);
    });
    if (isOfWaits || !problem.path) return isOfWaits;
    for (auto path = problem.path; path; path = experiment.callTree.parent(*path))
        if (isTask(experiment, *path)) return true;
    return isOfTasks(measures, *problem.path);
}

/// Where threads lacked processors, a replay says nothing of even work: it keeps the times without a
/// processor where they were, so that whoever has them is late instead, which another run need not repeat.
bool isUntested(const Measures& measures, const Problem& problem, const ReplayedGain& replayed) {
    const bool isEven =
        replayed.condition.starts_with("balance ") || replayed.condition == "threads balanced";
    return problem.gain && isBeyondOthers(problem) && isEven && starvationOfCalls(measures) > 0;
}

}  // namespace

void takeReplayedGains(const Measures& measures, std::vector<Problem>& problems) {
    const Experiment& experiment = measures.experiment();
    for (const ReplayedGain& replayed : replayedGainsOf(experiment)) {
        const auto isReplayed = [&](const Problem& problem) {
            return problem.kind == replayed.kind && keyOf(experiment, problem.path) == replayed.path &&
                   !isNotReplayed(measures, problem);
        };
        std::erase_if(problems, [&](const Problem& problem) {
            return isReplayed(problem) && isLackOfProcessors(measures, replayed.seconds, problem);
        });
        for (Problem& problem : problems) {
            if (!isReplayed(problem)) continue;
            const bool isDoubted = doubtEvenWork(measures, replayed.seconds, problem);
            if (!isDoubted && isUntested(measures, problem, replayed)) continue;
            problem.gain = mayBeMore(measures, problem, replayed) && problem.gain
                               ? std::min(*problem.gain, replayed.seconds)
                               : replayed.seconds;
            problem.replayedWith = replayed.condition;
        }
    }
}

}  // namespace holos::algebra
