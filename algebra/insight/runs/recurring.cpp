// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/runs/recurring.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>

#include "algebra/insight/runs/run_group.h"
#include "algebra/insight/summary/measures.h"
#include "algebra/insight/summary/summary.h"
#include "algebra/insight/summary/words.h"
#include "algebra/operators/history/recorded_run.h"
#include "base/error.h"
#include "base/function_name.h"
#include "base/text.h"

namespace holos::algebra {

namespace {

/// Kinds of one cause, of which chance may make one of the other.
std::string_view familyOf(const Problem& problem) {
    return problem.kind == "growing-imbalance" ? std::string_view("imbalance") : problem.kind;
}

/// The regions from the root to the call path, by names that repeated runs share.
std::vector<std::string> pathNames(const Experiment& experiment, std::optional<CallPathId> path) {
    std::vector<std::string> names;
    for (; path; path = experiment.callTree.parent(*path))
        names.push_back(plainName(experiment.regionOf(*path).name));
    std::ranges::reverse(names);
    return names;
}

/// One path leads to the other, or they are the same.
bool areInLine(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    const std::size_t length = std::min(a.size(), b.size());
    return std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(length), b.begin());
}

/// What is known of waits makes no difference for these.
bool isSeenWithoutWaits(const Problem& problem) {
    return problem.isMistake || problem.kind == "polling" || problem.kind == "files" ||
           problem.kind == "startup";
}

/// A problem of one run.
struct Occurrence {
    std::size_t run;
    Problem problem;
    std::vector<std::string> path;
    std::string guilty;  ///< names of those to blame; empty where nobody is
};

/// Processes; of the only one of a run its threads. Nobody is to blame for what the machine lacks.
std::string namesOfGuilty(const Experiment& experiment, const Problem& problem) {
    if (isOfMachine(problem)) return {};
    const bool isOneProcess = experiment.system.processes.size() == 1;
    std::vector<std::string> names;
    for (const LocationId location : problem.locations) {
        const Location& thread = experiment.system[location];
        const std::string& name = isOneProcess ? thread.name : experiment.system[thread.process].name;
        if (std::ranges::count(names, name) == 0) names.push_back(name);
    }
    // Threads may stand in the order of what they cost, or in which they were started: neither is the same in
    // two runs.
    std::ranges::sort(names, [](const std::string& a, const std::string& b) {
        return a.size() != b.size() ? a.size() < b.size() : a < b;  // 2 before 10
    });
    constexpr std::size_t kNamed = 3;
    if (names.size() > kNamed) return fmt::format("{} and {} more", names.front(), names.size() - 1);
    return listOf(names);
}

std::string rangeText(const ValueRange& range, std::string (*text)(double)) {
    const std::string least = text(range.least), most = text(range.most);
    if (least == most) return least;
    // `1.2 to 1.4 s`, but `900 ms to 1.2 s`
    const auto unit = [](const std::string& value) { return value.substr(value.find(' ')); };
    return (unit(least) == unit(most) ? least.substr(0, least.find(' ')) : least) + " to " + most;
}

class RecurrenceSearch {
  public:
    explicit RecurrenceSearch(const std::vector<NamedRun>& runs) : runs_(runs) {
        for (const NamedRun& run : runs) {
            if (!isOfRun(run.experiment)) throw Error("is not of a run", ::holos::Place{.file = run.name});
            result_.seconds.push_back(secondsOf({run.name, {run.experiment}}).front());
            knowsWaits_.push_back(Measures(run.experiment).knowsWaits());
            isJudged_.push_back(brokenLawsOf(run.experiment).empty());
        }
    }

    Recurrence take() {
        if (!tellDifferentShapes()) {
            tellRuns();
            for (std::size_t run = 0; run < runs_.size(); ++run) addProblemsOf(run);
            for (const std::vector<Occurrence>& group : groups_) result_.findings.push_back(findingOf(group));
            sortFindings();
            tellOutcome();
        }
        return std::move(result_);
    }

  private:
    const Experiment& experiment(std::size_t run) const { return runs_[run].experiment; }

    bool tellDifferentShapes() {
        const RunShape first = shapeOf(experiment(0));
        for (std::size_t run = 1; run < runs_.size(); ++run) {
            const RunShape other = shapeOf(experiment(run));
            if (other == first) continue;
            result_.areRepeats = false;
            if (other.programs != first.programs)
                result_.sentences.push_back(fmt::format(
                    "These are no repeats: {} is a run of {}, {} one of {}. `holos report` shows them side "
                    "by side.",
                    runs_[0].name, first.programText(), runs_[run].name, other.programText()));
            else
                result_.sentences.push_back(fmt::format(
                    "These are no repeats: {} had {}, {} had {}. `holos scaling` and `holos report` compare "
                    "them.",
                    runs_[0].name, first.startText(), runs_[run].name, other.startText()));
            return true;
        }
        return false;
    }

    void tellRuns() {
        const auto [least, most] = std::ranges::minmax(result_.seconds);
        const double mean = std::accumulate(result_.seconds.begin(), result_.seconds.end(), 0.0) /
                            static_cast<double>(result_.seconds.size());
        const auto error = errorOfMean(result_.seconds);
        result_.sentences.push_back(
            fmt::format("{} of {} took {}, {} on average (± {}).", counted(runs_.size(), "run"),
                        shapeOf(experiment(0)).startText(), rangeText({least, most}, secondsText),
                        secondsText(mean), secondsText(error.value_or(0))));
        const auto profiles = static_cast<std::size_t>(std::ranges::count(knowsWaits_, false));
        if (profiles > 0 && profiles < runs_.size())
            result_.sentences.push_back(fmt::format(
                "{} of them {}, which {} not know who waits for whom: what is found there is counted apart.",
                profiles, profiles == 1 ? "is a profile" : "are profiles", profiles == 1 ? "does" : "do"));
        for (std::size_t run = 0; run < runs_.size(); ++run)
            if (!isJudged_[run])
                result_.sentences.push_back(runs_[run].name +
                                            " is not complete or not consistent, and is not judged.");
    }

    void addProblemsOf(std::size_t run) {
        const auto summary = summarize(experiment(run));
        if (!summary) return;
        std::vector<Occurrence> others;
        for (const Problem& problem : summary->problems) {
            Occurrence found{run, problem, pathNames(experiment(run), problem.path),
                             namesOfGuilty(experiment(run), problem)};
            if (!addWhere(found, isAtTheSamePlace)) others.push_back(std::move(found));
        }
        for (Occurrence& found : others)
            if (!addWhere(found, isInLine)) groups_.push_back({std::move(found)});
    }

    static bool isAtTheSamePlace(const Occurrence& one, const Occurrence& other) {
        return one.path == other.path;
    }
    static bool isInLine(const Occurrence& one, const Occurrence& other) {
        return areInLine(one.path, other.path);
    }

    /// A profile shows other problems than a trace.
    bool canShow(std::size_t run, const Occurrence& found) const {
        return isSeenWithoutWaits(found.problem) || knowsWaits_[run] == knowsWaits_[found.run];
    }

    /// To those of this kind, in this part of the program, with no problem of the same run yet. False where
    /// there are none.
    template <class Fits>
    bool addWhere(Occurrence& found, Fits isThere) {
        const auto fits = [&](const std::vector<Occurrence>& group) {
            return familyOf(group.front().problem) == familyOf(found.problem) &&
                   canShow(found.run, group.front()) && isThere(group.front(), found) &&
                   group.back().run != found.run;
        };
        const auto group = std::ranges::find_if(groups_, fits);
        if (group == groups_.end()) return false;
        group->push_back(std::move(found));
        return true;
    }

    /// Of the kind that most of them are, the one that costs neither most nor least.
    const Occurrence& typical(const std::vector<Occurrence>& group) const {
        std::map<std::string, std::size_t> kinds;
        for (const Occurrence& one : group) ++kinds[one.problem.kind];
        const auto usual = std::ranges::max_element(kinds, [](const auto& a, const auto& b) {
                               return a.second < b.second;
                           })->first;
        std::vector<const Occurrence*> those;
        for (const Occurrence& one : group)
            if (one.problem.kind == usual) those.push_back(&one);
        std::ranges::sort(those, {}, [](const Occurrence* one) { return one->problem.cost; });
        return *those[those.size() / 2];
    }

    RecurringFinding findingOf(const std::vector<Occurrence>& group) const {
        const Occurrence& usual = typical(group);
        const Problem& problem = usual.problem;
        RecurringFinding finding;
        finding.kind = problem.kind;
        finding.what = problem.what;
        finding.where = problem.where;
        finding.remedy = problem.remedy;
        const std::string in = group.size() > 1 ? fmt::format(" (in {})", runs_[usual.run].name) : "";
        if (!problem.who.empty()) finding.who = problem.who + in;
        if (!problem.why.empty()) finding.why = problem.why + in;
        finding.note = differencesIn(group, usual);
        for (std::size_t run = 0; run < runs_.size(); ++run)
            finding.of += isJudged_[run] && canShow(run, usual) ? 1 : 0;
        finding.seconds = {problem.cost, problem.cost};
        finding.percent = {problem.percent, problem.percent};
        for (const Occurrence& one : group) {
            finding.runs.push_back(one.run);
            widen(finding.seconds, one.problem.cost);
            widen(finding.percent, one.problem.percent);
        }
        return finding;
    }

    static void widen(ValueRange& range, double value) {
        range.least = std::min(range.least, value);
        range.most = std::max(range.most, value);
    }

    std::string runsNamed(const std::vector<std::size_t>& which) const {
        std::vector<std::string> names;
        for (const std::size_t run : which) names.push_back(runs_[run].name);
        return listOfRuns(names);
    }

    /// Who is to blame, and what the problem is called, where that changes from run to run.
    std::string differencesIn(const std::vector<Occurrence>& group, const Occurrence& usual) const {
        std::map<std::string, std::vector<std::size_t>> guilty, called;
        for (const Occurrence& one : group) {
            guilty[one.guilty].push_back(one.run);
            if (one.problem.kind != usual.problem.kind) called[one.problem.what].push_back(one.run);
        }
        std::vector<std::string> notes;
        if (guilty.size() > 1) {
            std::vector<std::string> parts;
            for (const auto& [who, runs] : guilty)
                parts.push_back(
                    fmt::format("{} (in {})", who.empty() ? "nobody alone" : who, runsNamed(runs)));
            notes.push_back(fmt::format("who it is changes from run to run: {}", fmt::join(parts, ", ")));
        }
        for (const auto& [what, runs] : called)
            notes.push_back(fmt::format("in {} it is \"{}\", which may be chance", runsNamed(runs), what));
        return fmt::format("{}", fmt::join(notes, "; "));
    }

    void sortFindings() {
        std::ranges::stable_sort(result_.findings, [](const RecurringFinding& a, const RecurringFinding& b) {
            if (a.mayBeChance() != b.mayBeChance()) return b.mayBeChance();
            return a.seconds.most > b.seconds.most;
        });
    }

    void tellOutcome() {
        if (result_.findings.empty())
            result_.sentences.emplace_back("In none of them is there a problem that is worth saying.");
    }

    const std::vector<NamedRun>& runs_;
    Recurrence result_;
    std::vector<bool> knowsWaits_;
    std::vector<bool> isJudged_;
    std::vector<std::vector<Occurrence>> groups_;
};

}  // namespace

std::string RecurringFinding::recursText(const std::vector<NamedRun>& all) const {
    std::string text = fmt::format("in {} of {}", runs.size(), counted(of, "run"));
    if (runs.size() < of && mayBeChance()) {
        std::vector<std::string> names;
        for (const std::size_t run : runs) names.push_back(all[run].name);
        text += " (" + listOfRuns(names) + ")";
    }
    text += ", " + rangeText(seconds, secondsText) + " of all threads, " + rangeText(percent, percentText) +
            " of their time";
    return text + (mayBeChance() ? "; perhaps chance" : of == 1 ? "; no other run could show it" : "");
}

Recurrence recurrenceOf(const std::vector<NamedRun>& runs) {
    return RecurrenceSearch(runs).take();
}

}  // namespace holos::algebra
