// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/runs/change.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "algebra/insight/runs/changed_places.h"
#include "algebra/insight/summary/measures.h"
#include "algebra/insight/summary/problems.h"
#include "algebra/insight/summary/starvation.h"
#include "algebra/insight/summary/summary.h"
#include "algebra/insight/summary/words.h"
#include "algebra/operators/history/provenance.h"
#include "algebra/operators/history/recorded_run.h"
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"

namespace holos::algebra {
namespace {

/// Of the time of the first: less is about as long.
constexpr double kAsLong = 0.005;
/// Of the difference: what waiting for processors has to be, to be told.
constexpr double kMuchOfDifference = 0.1;

bool areRuns(const RunGroup& group) {
    return !group.runs.empty() &&
           std::ranges::all_of(group.runs, [](const Experiment& run) { return isOfRun(run); });
}

/// What threads waited for processors while they had something to do.
struct ProcessorWait {
    double seconds = 0;       ///< each on average; 0 where the kernel's count is not known
    bool isKnownWhen = true;  ///< in calls, too, and not only while they computed
};

ProcessorWait waitForProcessors(const RunGroup& group) {
    ProcessorWait wait;
    for (const Experiment& run : group.runs) {
        const Measures measures(run);
        const Starvation starvation = starvationOf(measures);
        wait.seconds += starvation.ofComputation / static_cast<double>(measures.threads().size());
        wait.isKnownWhen &= starvation.isSplit || starvation.seconds == 0;
    }
    wait.seconds /= static_cast<double>(group.runs.size());
    return wait;
}

/// Why threads had to wait for processors, behind a comma; empty where that is not known.
std::string whoHadProcessors(const Experiment& run) {
    for (const Problem& mistake : mistakes(Measures(run))) {
        if (mistake.kind == "processor-limit")
            return ", and the limit of a container or job stopped its threads meanwhile";
        if (mistake.kind == "lost-processors") return ", and other programs used the processors meanwhile";
        if (mistake.kind == "oversubscription") return ", as there are more threads than processors";
        if (mistake.kind == "binding") return ", as threads are bound to the same processors";
    }
    return {};
}

/// Names of files stay as they are.
std::string capitalized(std::string text) {
    if (text.starts_with("the mean ")) text.front() = 'T';
    return text;
}

/// With the part of the run that it has values of, where this is not the whole.
std::string nameWithPart(const RunGroup& group) {
    const auto part = group.runs.empty() ? std::nullopt : partOfRun(group.runs.front());
    const std::string suffix = part ? " (" + *part + ")" : std::string();
    return group.name.ends_with(suffix) ? group.name : group.name + suffix;
}

/// Metrics at the top that no run of the other group has, but for ratios.
std::vector<std::string> onlyIn(const RunGroup& group, const RunGroup& other) {
    std::vector<std::string> names;
    const Experiment& run = group.runs.front();
    for (const MetricId root : run.metrics.roots()) {
        const Metric& metric = run.metrics[root];
        const bool isThere = std::ranges::any_of(other.runs, [&](const Experiment& each) {
            return each.findMetric(metric.uniqueName).has_value();
        });
        if (metric.hasValues() && !metric.isVoid && metric.origin != Origin::Ratio && !isThere)
            names.push_back(metric.displayName);
    }
    return names;
}

class ChangeWriter {
  public:
    ChangeWriter(const RunGroup& first, const RunGroup& second, const Matching& matching)
        : first_(first), second_(second), matching_(matching) {
        change_.first = nameWithPart(first);
        change_.second = nameWithPart(second);
    }

    std::optional<Change> take() {
        const std::vector<double> before = secondsOf(first_), after = secondsOf(second_);
        change_.firstRuns = before.size();
        change_.secondRuns = after.size();
        change_.seconds = differenceOfMeans(before, after);
        if (!(change_.seconds.first > 0 && change_.seconds.second > 0)) return std::nullopt;
        const std::string otherwise = otherwiseText();
        const bool isExplained = otherwise.empty() && !change_.seconds.isWithinError() && !takeAsLong();
        if (isExplained) findPlaces();
        for (const std::string& sentence : timeTexts()) change_.sentences.push_back(capitalized(sentence));
        if (!otherwise.empty()) change_.sentences.push_back(capitalized(otherwise));
        if (isExplained) explain();
        if (!change_.seconds.isWithinError() && !takeAsLong()) explainByProcessors();
        tellWhatOneHas(first_, second_);
        tellWhatOneHas(second_, first_);
        if (before.size() == 1 && after.size() == 1)
            change_.sentences.emplace_back(
                "This is one run of each, which cannot tell a change from chance: repeat both, and compare "
                "them with `holos diff A1 A2 A3 --minus B1 B2 B3`.");
        return std::move(change_);
    }

  private:
    double difference() const { return change_.seconds.difference(); }
    bool takeAsLong() const { return std::fabs(difference()) < kAsLong * change_.seconds.first; }

    /// Perhaps nobody measured it there.
    void tellWhatOneHas(const RunGroup& group, const RunGroup& other) {
        constexpr std::size_t kMost = 3;
        std::vector<std::string> names = onlyIn(group, other);
        if (names.empty()) return;
        const bool isOne = names.size() == 1;
        if (names.size() > kMost) {
            const std::size_t more = names.size() - kMost;
            names.resize(kMost);
            names.push_back(fmt::format("{} more", more));
        }
        change_.sentences.push_back(fmt::format("Only {} has {}: a difference counts {} as zero in {}.",
                                                group.name, listOf(names), isOne ? "it" : "them",
                                                other.name));
    }

    /// What runs of one version differ by is no cause.
    void findPlaces() {
        ChangedParts parts = changedParts(first_, second_, matching_, difference());
        change_.places = std::move(parts.places);
        steps_ = std::move(parts.steps);
        const auto mayBeChance = [](const ChangedPlace& place) {
            return place.error && std::fabs(place.seconds) <= *place.error;
        };
        const auto chance = std::ranges::find_if(change_.places, mayBeChance);
        if (chance != change_.places.end()) largestByChance_ = *chance;
        std::erase_if(change_.places, mayBeChance);
    }

    std::string runsText() const {
        if (change_.firstRuns == 1 && change_.secondRuns == 1) return {};
        return fmt::format(" (means of {} and of {})", counted(change_.secondRuns, "run"),
                           counted(change_.firstRuns, "run"));
    }

    /// What somebody who reads one sentence has to know, and then the times themselves.
    std::vector<std::string> timeTexts() const {
        const std::string after = secondsText(change_.seconds.second),
                          before = secondsText(change_.seconds.first);
        if (change_.seconds.isWithinError())
            return {fmt::format(
                "Whether {} is slower or faster than {} is not known: they took {} and {}{}, and chance "
                "makes differences of up to {}.",
                change_.second, change_.first, after, before, runsText(),
                secondsText(*change_.seconds.error))};
        if (takeAsLong())
            return {fmt::format("{} takes as long as {}: {} and {}{}.", change_.second, change_.first, after,
                                before, runsText())};
        const auto part = [this](double seconds) {
            return percentText(100 * seconds / change_.seconds.first);
        };
        const std::string error =
            change_.seconds.error ? fmt::format(" (± {})", part(*change_.seconds.error)) : "";
        const std::string errorInSeconds =
            change_.seconds.error ? fmt::format(" (± {})", secondsText(*change_.seconds.error)) : "";
        constexpr double kManyTimes = 3;
        const double times = change_.seconds.second / change_.seconds.first;
        return {
            times >= kManyTimes
                ? fmt::format("{} takes {:.3g} times as long as {}{}.", change_.second, times, change_.first,
                              becauseText())
                : fmt::format("{} is {} {} than {}{}{}.", change_.second, part(std::fabs(difference())),
                              difference() > 0 ? "slower" : "faster", change_.first, error, becauseText()),
            fmt::format("{} took {}, {} {}{}: {}{} {}.", change_.second, after, change_.first, before,
                        runsText(), secondsText(std::fabs(difference())), errorInSeconds,
                        difference() > 0 ? "more" : "less")};
    }

    /// The first place, if it has a part of the difference.
    bool isFirstPlaceTheCause() const {
        return !change_.places.empty() && change_.places.front().seconds / difference() > 0;
    }
    std::string becauseText() const {
        if (!isFirstPlaceTheCause()) return {};
        const ChangedPlace& place = change_.places.front();
        if (const ChangedPlace* const other = largestAgainst(place))
            return fmt::format(", because {} ({}), and {}", longerText(place), place.why, longerText(*other));
        return ", because " + longerText(place) + ": " + place.why;
    }
    /// Where a place has more than the whole difference: the one that takes most of the rest away again.
    const ChangedPlace* largestAgainst(const ChangedPlace& place) const {
        constexpr double kMoreThanAll = 1.1;
        if (place.seconds / difference() < kMoreThanAll) return nullptr;
        const auto other = std::ranges::find_if(
            change_.places, [&](const ChangedPlace& each) { return each.seconds / place.seconds < 0; });
        return other != change_.places.end() ? &*other : nullptr;
    }
    static std::string longerText(const ChangedPlace& place) {
        const std::string error = place.error ? fmt::format(" (± {})", secondsText(*place.error)) : "";
        return fmt::format("{} takes {}{} {}", place.where, secondsText(std::fabs(place.seconds)), error,
                           place.seconds > 0 ? "longer" : "less");
    }

    /// Where they are no runs of one program in one way, which of it is different.
    std::string otherwiseText() const {
        const RunShape before = shapeOf(first_.runs.front()), after = shapeOf(second_.runs.front());
        for (const RunGroup* group : {&first_, &second_})
            for (const Experiment& run : group->runs) {
                const RunShape own = shapeOf(run);
                if (own.programs != before.programs)
                    return fmt::format(
                        "They are runs of different programs, {0} and {1}, so their parts are not compared: "
                        "`holos diff --rename {1}={0}` compares versions that have different names.",
                        before.programText(), own.programText());
                if (own != (group == &first_ ? before : after))
                    return fmt::format(
                        "The runs of {} were started with different numbers of processes or threads, so "
                        "their parts are not compared.",
                        group->name);
            }
        if (before == after) return {};
        return fmt::format("{} had {}, {} had {}, so their parts are not compared.", change_.first,
                           before.startText(), change_.second, after.startText());
    }

    /// Says what changed in the other places, and what is beside them.
    void explain() {
        for (std::size_t at = isFirstPlaceTheCause() ? 1 : 0; at < change_.places.size(); ++at)
            change_.sentences.push_back(placeText(change_.places[at]));
        if (change_.places.empty() && largestByChance_)
            change_.sentences.push_back(
                "Where it is cannot be told from chance: " + longerText(*largestByChance_) +
                ", and no part of the program differs by more than runs of one version do.");
        else if (change_.places.empty())
            change_.sentences.emplace_back("No part of the program has a tenth of the difference.");
        if (!steps_.empty())
            change_.sentences.push_back(capitalized(change_.second + " " + steps_ +
                                                    ", so the two runs may not have done the same work."));
    }

    std::string placeText(const ChangedPlace& place) const {
        const std::string error = place.error ? fmt::format(" (± {})", secondsText(*place.error)) : "";
        const double share = place.seconds / difference();
        constexpr double kAll = 1.0005;
        if (share > 0 && share <= kAll)
            return fmt::format("{}{} of it is in {}: {}.", secondsText(std::fabs(place.seconds)), error,
                               place.where, place.why);
        return longerText(place) + ": " + place.why + '.';
    }

    void explainByProcessors() {
        const ProcessorWait before = waitForProcessors(first_), after = waitForProcessors(second_);
        change_.forProcessors = after.seconds - before.seconds;
        const double share = change_.forProcessors / difference();
        if (share < kMuchOfDifference) return;
        const bool isKnownWhen = before.isKnownWhen && after.isKnownWhen;
        const RunGroup& longer = difference() > 0 ? second_ : first_;
        const RunGroup& shorter = difference() > 0 ? first_ : second_;
        change_.sentences.push_back(fmt::format(
            "{} of {} waited {} longer for a processor than those of {}, each on average{}, by the kernel's "
            "count: that is as much as {} of the difference{}.",
            isKnownWhen ? "Threads" : "While they computed, threads", longer.name,
            secondsText(std::fabs(change_.forProcessors)), shorter.name,
            isKnownWhen ? ", not counting times in which they waited for others anyway" : "",
            share < 1 ? percentText(100 * share) : "all", whoHadProcessors(longer.runs.front())));
    }

    const RunGroup& first_;
    const RunGroup& second_;
    const Matching& matching_;
    Change change_;
    std::string steps_;                            ///< of the second, where they are more or fewer
    std::optional<ChangedPlace> largestByChance_;  ///< differs by no more than runs of one version do
};

}  // namespace

std::optional<Change> changeBetween(const RunGroup& first, const RunGroup& second, const Matching& matching) {
    if (!areRuns(first) || !areRuns(second)) return std::nullopt;
    return ChangeWriter(first, second, matching).take();
}

namespace {

/// The member of `Experiment::files` with the text.
constexpr const char* kChangeFile = "holos.change";

bool hasSentences(const nlohmann::ordered_json& change) {
    const auto sentences = change.find("sentences");
    if (sentences == change.end() || !sentences->is_array()) return false;
    for (const auto& sentence : *sentences)
        if (!sentence.is_string()) return false;
    return true;
}

}  // namespace

nlohmann::ordered_json objectOf(const Change& change) {
    nlohmann::ordered_json object{
        {"sentences", change.sentences},
        {"first", {{"name", change.first}, {"runs", change.firstRuns}, {"seconds", change.seconds.first}}},
        {"second",
         {{"name", change.second}, {"runs", change.secondRuns}, {"seconds", change.seconds.second}}},
        {"difference", change.seconds.difference()},
        {"error95", orNull(change.seconds.error)},
        {"mayBeChance", change.seconds.error ? nlohmann::ordered_json(change.seconds.isWithinError())
                                             : nlohmann::ordered_json()},
        {"forProcessors", change.forProcessors},
        {"places", nlohmann::ordered_json::array()}};
    for (const ChangedPlace& place : change.places)
        object["places"].push_back({{"where", place.where},
                                    {"seconds", place.seconds},
                                    {"error95", orNull(place.error)},
                                    {"why", place.why}});
    return object;
}

void keepChange(const Change& change, Experiment& difference) {
    difference.files[kChangeFile] = jsonText(objectOf(change), 1);
}

std::optional<nlohmann::ordered_json> changeIn(const Experiment& difference) try {
    const auto made = provenanceOf(difference);
    const auto file = difference.files.find(kChangeFile);
    if (!made || made->operation != "diff" || file == difference.files.end()) return std::nullopt;
    auto change = parseJson<nlohmann::ordered_json>(file->second);
    return change.is_object() && hasSentences(change) ? std::optional(std::move(change)) : std::nullopt;
} catch (const Error&) {  // what somebody else wrote there
    return std::nullopt;
}

}  // namespace holos::algebra
